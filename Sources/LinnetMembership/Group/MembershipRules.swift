import LinnetWire

/// The rules that say which records are stored. They look at a record's bytes and its ancestors
/// alone, so that every replica judges alike whatever else it holds; a record that is stored may
/// still mean nothing, as ``MembershipState`` says.
enum MembershipRules {
    /// Throws what is wrong with a record that follows `ancestors`.
    static func check(
        _ record: MemberRecord, after ancestors: RecordSet, in ancestry: Ancestry
    ) throws(MembershipError) {
        guard ancestry.knows(record.author, in: ancestors) else { throw .notEntitled }
        switch record.payload {
        case .genesis:
            throw .notAGenesis
        case .add(let payload):
            guard ancestry.mayBeEpoch(payload.epoch, in: ancestors) else { throw .unknownEpoch }
        case .epoch(let payload):
            let highest = ancestry.highestEpoch(in: ancestors)
            guard payload.number > highest, payload.number < record.lamport else {
                throw .badEpochNumber
            }
            for key in payload.wrapped where !ancestry.mayBeEpoch(key.epoch, in: ancestors) {
                throw .unknownEpoch
            }
        case .laterAdd, .unknown:
            guard
                record.kind != MemberKind.recovery.rawValue
                    || ancestry.mayRecover(record.author, in: ancestors)
            else { throw .notEntitled }
        }
        // A record that takes a device's rights away is stored however much it wrote before.
        let limits =
            record.kind != MemberKind.remove.rawValue
            && record.kind != MemberKind.endorse.rawValue
        guard !limits || ancestors.count <= Limits.memberRecords else { throw .tooManyRecords }
    }
}
