package import LinnetCrypto
package import LinnetWire

/// The epochs of which a device that may start none holds the data key, and to which the current
/// keys do not lead: as after a removal that came to nothing, when those who wrote under its keys
/// read alone by now, or are bound to scopes. A member that gets these keys by a share starts an
/// epoch that leads to them.
package struct StrandedKeys {
    private let log: MembershipLog
    private let ring: KeyRing
    private let own: Member?

    /// Looks at the records of a log, and at the keys that a device holds of them.
    package init(of device: DeviceID, in log: MembershipLog, _ ring: KeyRing) {
        (self.log, self.ring) = (log, ring)
        own = log.state.member(device).flatMap { $0.role.reads && !$0.mayRotate ? $0 : nil }
    }

    /// Returns the number of devices that should act before this one: the members that may start
    /// epochs and have a box, the readers with one that are bound to no scopes, and the others; nil
    /// when nothing is to be handed over. Other readers are served when the members that may start
    /// epochs were, and none of them did.
    package var turn: Int? {
        guard let own, let (epoch, receivers) = next else { return nil }
        let holders = log.state.keyHolders(of: epoch).elements.compactMap { log.state.member($0) }
        func place(_ member: Member) -> Int { member.mayRotate ? 0 : member.isBound ? 2 : 1 }
        let before = holders.count { (place($0), $0.device) < (place(own), own.device) }
        let isForWriters = receivers.contains(where: \.mayRotate)
        return before + (isForWriters ? 0 : 1 + log.state.members.count(where: \.mayRotate))
    }

    /// Returns the shares that are due, one after the other; none when nothing is. Those of a
    /// device which is bound to scopes are void, and their boxes open all the same.
    package func shares(
        keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> [MemberRecord] {
        guard let (epoch, receivers) = next, let held = ring.keys(of: epoch.id) else { return [] }
        var (log, shares) = (log, [MemberRecord]())
        for receiver in receivers {
            let box = try held.box(
                for: receiver.certificate, role: receiver.role, entropy: &entropy)
            let share = try log.sign(
                .share(SharePayload(epoch: epoch.id, device: receiver.device, box: box)),
                naming: epoch.id, keys: keys)
            _ = try log.insert(share)
            shares.append(share)
        }
        return shares
    }

    /// The newest such epoch, and the members to hand it to: those that may start epochs, and when
    /// all of them were handed it, the other readers that are bound to no scopes.
    private var next: (epoch: Epoch, receivers: [Member])? {
        guard let own, let current = log.state.currentEpoch,
            let keys = ring.current(in: log)
        else { return nil }
        let led = own.isBound ? named(from: current) : ring.epochsLed(from: keys, in: log)
        for held in ring.epochs where held.isOfReader && !led.contains(held.id) {
            guard let epoch = log.state.anyEpoch(held.id), log.mayLeaveOutReaders(epoch) else {
                continue
            }
            let served = served(by: own.device, with: epoch.id)
            let others = log.state.members.filter {
                $0.role.reads && !$0.isBound && $0.device != own.device
                    && !served.contains($0.device)
            }
            let writers = others.filter(\.mayRotate)
            if !others.isEmpty { return (epoch, writers.isEmpty ? others : writers) }
        }
        return nil
    }

    /// The devices to which one signed shares of an epoch.
    private func served(by device: DeviceID, with epoch: EpochID) -> OrderedSet<DeviceID> {
        OrderedSet(
            log.records.compactMap { record in
                guard record.author == device, case .share(let payload) = record.payload,
                    payload.epoch == epoch
                else { return nil }
                return payload.device
            })
    }

    /// The epochs to which one leads by what its record and those of others list: a device without
    /// data keys cannot see whether it is so.
    private func named(from current: Epoch) -> OrderedSet<EpochID> {
        var reached = OrderedSet([current.id])
        var open = [current]
        while let later = open.popLast() {
            for wrapped in later.payload.wrapped where !reached.contains(wrapped.epoch) {
                reached.insert(wrapped.epoch)
                if let earlier = log.state.anyEpoch(wrapped.epoch) { open.append(earlier) }
            }
        }
        return reached
    }
}
