package import LinnetCrypto
import LinnetWire

/// The records by which the author of an epoch hands its keys to those that are bound to scopes,
/// a reader those that no other member holds, and a device that may start no epoch says that its
/// box does not open.
package struct EpochShares {
    private let log: MembershipLog

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { self.log = log }

    /// The next share that the owner of `keys` owes somebody; nil when there is none. The caller
    /// inserts it.
    package func due(
        ring: KeyRing, keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> MemberRecord? {
        if let complaint = try complaint(ring: ring, keys: keys) { return complaint }
        if let share = try next(ring: ring, keys: keys, entropy: &entropy) { return share }
        return try nextOfStranded(ring: ring, keys: keys, entropy: &entropy)
    }

    /// The record by which the owner of `keys`, who may start no epoch, calls the current one bad:
    /// a share of it for itself. Nil when its box of it opens, or when it may start another one.
    func complaint(
        ring: KeyRing, keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord? {
        guard let own = log.state.member(keys.device), !own.mayRotate,
            let epoch = log.state.currentEpoch, ring.badEpochs.contains(epoch.id)
        else { return nil }
        let box = [UInt8](repeating: 0, count: Role.relay.boxBytes)
        return try log.sign(
            .share(SharePayload(epoch: epoch.id, device: own.device, box: box)),
            naming: epoch.id, keys: keys)
    }

    /// The share of the newest epoch of the owner of `keys` for the next device that has none; nil
    /// when there is none.
    func next(
        ring: KeyRing, keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> MemberRecord? {
        let state = log.state
        guard state.member(keys.device)?.isBound == false,
            let epoch = state.epochs.first(where: { $0.author == keys.device }),
            epoch.number >= state.currentEpoch?.number ?? 0, let held = ring.keys(of: epoch.id),
            held.networkKey != nil, held.dataKey != nil
        else { return nil }
        let holders = state.holders(of: epoch)
        for member in state.members where !holders.contains(member.device) {
            guard case .some(let scopes) = member.scopes else { continue }
            let box = try held.box(
                for: member.certificate, of: scopes, ring.naming(in: log), entropy: &entropy)
            let share = try log.sign(
                .share(SharePayload(epoch: epoch.id, device: member.device, box: box)),
                naming: epoch.id, keys: keys)
            var trial = log
            _ = try trial.insert(share)
            // Otherwise the same record would be signed again and again.
            guard trial.state.holders(of: epoch).contains(member.device) else { continue }
            return share
        }
        return nil
    }

    /// The share of an epoch that no member who starts epochs has a box of, for the next one of
    /// these; nil when there is none, or the owner of `keys` is no reader. It is needed when the
    /// current keys do not lead to that epoch, as after a removal that came to nothing and whose
    /// keys readers alone still hold: a member that holds them starts an epoch that leads to them.
    func nextOfStranded(
        ring: KeyRing, keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> MemberRecord? {
        let state = log.state
        guard let own = state.member(keys.device), own.role == .reader, !own.isBound,
            let current = ring.current(in: log)
        else { return nil }
        let writers = state.members.filter(\.mayRotate)
        let led = ring.epochsLed(from: current, in: log)
        for held in ring.epochs where !led.contains(held.id) && held.isOfReader {
            guard let epoch = state.anyEpoch(held.id) else { continue }
            let holders = state.holders(of: epoch)
            guard !writers.contains(where: { holders.contains($0.device) }) else { continue }
            let shared = log.records.compactMap { record -> DeviceID? in
                guard record.author == keys.device, case .share(let payload) = record.payload,
                    payload.epoch == held.id
                else { return nil }
                return payload.device
            }
            for writer in writers where !shared.contains(writer.device) {
                let box = try held.box(
                    for: writer.certificate, role: writer.role, entropy: &entropy)
                return try log.sign(
                    .share(SharePayload(epoch: held.id, device: writer.device, box: box)),
                    naming: held.id, keys: keys)
            }
        }
        return nil
    }
}
