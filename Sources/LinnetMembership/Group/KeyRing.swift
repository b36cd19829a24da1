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
    /// The held epochs, newest first.
    package private(set) var epochs: [EpochKeys] = []
    /// Epochs whose keys were sealed to this device but do not open or are not those that the
    /// author committed to, newest first.
    package private(set) var badEpochs: [EpochID] = []

    /// Opens everything that the log seals to the owner of `keys`.
    package init(log: MembershipLog, keys: borrowing DeviceKeys) {
        update(from: log, keys: keys)
    }

    /// Opens what the log has gained since the last time.
    package mutating func update(from log: MembershipLog, keys: borrowing DeviceKeys) {
        var held = OrderedTable(epochs.map { ($0.id, $0) })
        badEpochs = []
        let own = Self.boxes(in: log, for: keys.certificate)
        for epoch in log.state.epochs where held[epoch.id]?.networkKey == nil {
            guard let boxes = own[epoch.id] else { continue }
            for box in boxes where held[epoch.id]?.networkKey == nil {
                held[epoch.id] =
                    (try? EpochKeys.open(box, of: epoch, group: log.group, with: keys.seal))
                    ?? held[epoch.id]
            }
            if held[epoch.id]?.networkKey == nil { badEpochs.append(epoch.id) }
        }
        for epoch in log.state.epochs {
            guard let dataKey = held[epoch.id]?.dataKey else { continue }
            for wrapped in epoch.payload.wrapped where held[wrapped.epoch]?.dataKey == nil {
                guard let earlier = log.state.epoch(wrapped.epoch) else { continue }
                held[earlier.id] =
                    (try? EpochKeys.unwrap(
                        wrapped, of: earlier, under: epoch, dataKey: dataKey, group: log.group))
                    ?? held[earlier.id]
            }
        }
        epochs = log.state.epochs.compactMap { held[$0.id] }
    }

    /// Returns the held keys of an epoch.
    package func keys(of epoch: EpochID) -> EpochKeys? {
        epochs.first { $0.id == epoch }
    }

    /// The keys of the log's current epoch, under which new batches go; nil until they are held.
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
    /// A device whose keys of the current epoch are bad is the only one to know, and comes first.
    package func rotationTurn(of device: DeviceID, in log: MembershipLog) -> Int? {
        guard let current = log.state.currentEpoch, let member = log.state.member(device),
            member.role.reads
        else { return nil }
        if badEpochs.contains(current.id) { return 0 }
        return self.current(in: log) == nil ? nil : log.rotationTurn(of: device)
    }

    private static func boxes(
        in log: MembershipLog, for certificate: Certificate
    ) -> OrderedTable<EpochID, [[UInt8]]> {
        var boxes = OrderedTable<EpochID, [[UInt8]]>()
        for record in log.records {
            switch record.payload {
            case .epoch(let payload):
                if let box = payload.boxes[certificate.device] {
                    boxes[record.id, default: []].append(box)
                }
            case .add(let payload) where payload.certificate == certificate:
                boxes[payload.epoch, default: []].append(payload.box)
            case .genesis, .add, .unknown:
                break
            }
        }
        return boxes
    }
}
