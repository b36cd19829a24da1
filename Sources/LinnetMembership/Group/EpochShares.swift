package import LinnetCrypto
import LinnetWire

/// The records by which the author of an epoch hands its keys to those that are bound to scopes,
/// and a device that may start no epoch says that its box does not open.
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
        return try next(ring: ring, keys: keys, entropy: &entropy)
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
}
