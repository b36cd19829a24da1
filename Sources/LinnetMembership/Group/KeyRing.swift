package import LinnetCrypto
package import LinnetWire

/// The pre-shared key of an epoch, for handshakes between members.
package struct MemberPSK: Sendable {
    /// The epoch.
    package let epoch: EpochID
    /// 32 bytes.
    package let psk: SharedSecret
}

/// The epoch keys that a device holds: rebuilt from the log and its own keys, never stored.
package struct KeyRing: Sendable {
    /// The held epochs, newest first; behind them those of void records, newest first.
    package private(set) var epochs: [EpochKeys] = []
    /// Epochs whose keys were sealed to this device but do not open or are not those that the
    /// author committed to, newest first.
    package private(set) var badEpochs: [EpochID] = []
    /// The keys under which this device writes: those of the newest usable epoch that it holds;
    /// when it holds none, of the newest epoch that is sealed to members alone. Nil without data
    /// keys.
    package private(set) var writing: EpochKeys?
    /// The number of boxes of each epoch that were tried.
    private var tried = OrderedTable<EpochID, Int>()

    /// Opens everything that the log seals to the owner of `keys`.
    package init(log: MembershipLog, keys: borrowing DeviceKeys) {
        update(from: log, keys: keys)
    }

    /// Opens what the log has gained since the last time.
    package mutating func update(from log: MembershipLog, keys: borrowing DeviceKeys) {
        var held = OrderedTable(epochs.map { ($0.id, $0) })
        let own = Self.boxes(in: log, for: keys.certificate)
        // Some may write under keys of a void record before they hear that it is void.
        let all = log.state.epochs + log.state.voidEpochs
        let byName = OrderedTable(all.map { ($0.id, $0) })
        let member = log.state.member(keys.device)
        for epoch in all {
            let boxes = own[epoch.id] ?? []
            for box in boxes.dropFirst(tried[epoch.id] ?? 0)
            where Self.lacks(member, held[epoch.id]) {
                tried[epoch.id, default: 0] += 1
                do throws(MembershipError) {
                    let found = try EpochKeys.open(
                        box, of: epoch, group: log.group, with: keys.seal)
                    held[epoch.id] = found.joined(with: held[epoch.id])
                } catch {
                    // It counts as tried: an epoch of which no box opens is called bad.
                    continue
                }
            }
        }
        badEpochs = log.state.epochs.map(\.id).filter {
            tried[$0] != nil && held[$0]?.networkKey == nil
        }
        // Keys of a void record may lead to others, and others to them: in no order of epochs.
        var open = Array(all.reversed())
        while let epoch = open.popLast() {
            guard let dataKey = held[epoch.id]?.dataKey else { continue }
            for wrapped in epoch.payload.wrapped where held[wrapped.epoch]?.dataKey == nil {
                guard let earlier = byName[wrapped.epoch],
                    let keys = try? EpochKeys.unwrap(
                        wrapped, of: earlier, under: epoch, dataKey: dataKey, group: log.group)
                else { continue }
                held[earlier.id] = keys.joined(with: held[earlier.id])
                open.append(earlier)
            }
        }
        epochs = all.compactMap { held[$0.id] }
        writing = keysToWrite(in: log.state)
    }

    private func keysToWrite(in state: MembershipState) -> EpochKeys? {
        let whole = epochs.filter(\.isWhole)
        func first(where isRight: (Epoch) -> Bool) -> EpochKeys? {
            whole.first { keys in state.epoch(keys.id).map(isRight) ?? false }
        }
        return first { state.fault(of: $0) == nil } ?? first(where: state.isSealedToMembersAlone)
    }

    /// True when a box may hold more of an epoch for a device than is held.
    private static func lacks(_ member: Member?, _ held: EpochKeys?) -> Bool {
        guard let held, held.networkKey != nil else { return true }
        guard let member, member.role.reads, held.dataKey == nil else { return false }
        return !member.isBound || held.scopeKeys.isEmpty
    }

    /// Returns the held keys of an epoch.
    package func keys(of epoch: EpochID) -> EpochKeys? {
        epochs.first { $0.id == epoch }
    }

    /// The newest epoch of which both keys are held.
    var newestWhole: EpochKeys? {
        epochs.first { $0.networkKey != nil && $0.dataKey != nil }
    }

    /// True when it holds the keys with which a device of a role can take part.
    func holdsKeys(for role: Role) -> Bool {
        epochs.contains { $0.networkKey != nil && ($0.isWhole || !role.reads) }
    }

    /// The keys of the log's current epoch; nil when no epoch is usable or they are not held.
    package func current(in log: MembershipLog) -> EpochKeys? {
        log.state.currentEpoch.flatMap { keys(of: $0.id) }.flatMap {
            $0.networkKey == nil ? nil : $0
        }
    }

    /// The pre-shared keys for handshakes, newest first: the newest epoch's and those of at most
    /// `Limits.earlierEpochs` before it.
    package var memberPSKs: [MemberPSK] {
        epochs.lazy
            .compactMap { keys in keys.psk.map { MemberPSK(epoch: keys.id, psk: $0) } }
            .prefix(1 + Limits.earlierEpochs).map { $0 }
    }

    /// The data key of the group's first epoch, from which scope identifiers derive.
    package func firstDataKey(in log: MembershipLog) -> SharedSecret? {
        log.state.firstEpoch.flatMap { keys(of: $0.id)?.dataKey }
    }

    /// Returns the number of devices that should start a new epoch before this one does; nil when
    /// no new epoch is needed or this device may not start it.
    ///
    /// One is needed when none is usable, when the current one does not open here, which only this
    /// device knows, and when a reader has no way to the keys of an epoch that this device holds.
    package func rotationTurn(of device: DeviceID, in log: MembershipLog) -> Int? {
        let state = log.state
        guard !state.upgradeNeeded, state.member(device)?.mayRotate == true,
            epochs.contains(where: { $0.networkKey != nil && $0.dataKey != nil })
        else { return nil }
        // Without keys that members alone have, nothing is written.
        guard writing != nil else { return 0 }
        guard let current = state.currentEpoch else {
            return log.rank(of: device, among: OrderedSet(state.members.map(\.device)))
        }
        guard let keys = self.current(in: log) else {
            return badEpochs.contains(current.id) ? 0 : nil
        }
        let led = epochsLed(from: keys, in: log)
        // Under a void one, too, somebody may have written before hearing that it is void.
        let stranded = epochs.lazy.filter { $0.dataKey != nil && !led.contains($0.id) }
            .compactMap { state.anyEpoch($0.id) }.first(where: log.mayLeaveOutReaders)
        return stranded.map { log.rank(of: device, among: state.keyHolders(of: $0)) }
    }

    /// The usable epochs whose box for this device does not open: those that nobody has called bad
    /// yet, ascending.
    func badNews(in log: MembershipLog) -> [EpochID] {
        badEpochs.lazy.compactMap { log.state.epoch($0) }
            .filter { log.state.fault(of: $0) == nil }
            .prefix(MemberPayload.mostBad).map(\.id).sorted()
    }

    /// The epochs whose data keys the keys of one lead to, by wrapped keys that do open; itself
    /// too.
    func epochsLed(from start: EpochKeys, in log: MembershipLog) -> OrderedSet<EpochID> {
        var reached = OrderedSet([start.id])
        var open = [start]
        while let later = open.popLast() {
            guard let dataKey = later.dataKey, let epoch = log.state.anyEpoch(later.id) else {
                continue
            }
            for wrapped in epoch.payload.wrapped where !reached.contains(wrapped.epoch) {
                guard let earlier = log.state.anyEpoch(wrapped.epoch),
                    let keys = try? EpochKeys.unwrap(
                        wrapped, of: earlier, under: epoch, dataKey: dataKey, group: log.group)
                else { continue }
                reached.insert(earlier.id)
                open.append(keys)
            }
        }
        return reached
    }

    private static func boxes(
        in log: MembershipLog, for certificate: Certificate
    ) -> OrderedTable<EpochID, [[UInt8]]> {
        var boxes = OrderedTable<EpochID, [[UInt8]]>()
        for record in log.records {
            if let box = record.payload.epoch?.boxes[certificate.device] {
                boxes[record.id, default: []].append(box)
            }
            switch record.payload {
            case .add(let payload) where payload.certificate == certificate:
                boxes[payload.epoch, default: []].append(payload.box)
            case .share(let payload)
            where payload.device == certificate.device && record.author != payload.device:
                boxes[payload.epoch, default: []].append(payload.box)
            default: break
            }
        }
        return boxes
    }
}
