import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The records that take one device out of a group: the removal, and extends for the batches that
/// it has no room to name.
struct SignedRemoval {
    /// The records, in order.
    private(set) var records: [MemberRecord]
    /// The log with them.
    private(set) var log: MembershipLog

    /// Signs them on top of a log. `heads` are the last batches of the device's chains, and those
    /// of each device that goes along.
    init(
        of device: DeviceID, reason: RemovePayload.Reason,
        with others: [(device: DeviceID, heads: [BatchHead])] = [], heads: [BatchHead],
        on log: MembershipLog, ring: KeyRing, by signer: borrowing DeviceKeys,
        _ entropy: inout Entropy
    ) throws(MembershipError) {
        self.log = log
        records = [
            try log.makeRemoval(
                of: device, reason: reason.rawValue,
                with: others.map { RemovePayload.Companion(device: $0.device) },
                heads: Array(heads.prefix(BatchHead.usual)), ring: ring, keys: signer,
                entropy: &entropy)
        ]
        _ = try self.log.insert(records[0])
        for (target, more) in [(device, Array(heads.dropFirst(BatchHead.usual)))] + others {
            for start in stride(from: 0, to: more.count, by: BatchHead.usual) {
                let part = Array(more[start..<min(start + BatchHead.usual, more.count)])
                let extend = try self.log.makeExtend(of: target, heads: part, keys: signer)
                _ = try self.log.insert(extend)
                records.append(extend)
            }
        }
    }
}
