import LinnetMembership
package import LinnetWire

extension Replica {
    /// Votes for or against a removal, or a role that a record gives, whatever this device said of
    /// it before. Nothing is signed where it said the same.
    package mutating func vote(
        on record: MemberRecordID, isFor: Bool, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        // The votes of a device that never could write are not counted.
        guard group.isKept(device) else { throw .mayNotWrite }
        let removals = Removals(group.log)
        guard removals.withRoles.contains(where: { $0.id == record }) else {
            throw .noSuchRecord(record.description)
        }
        guard removals.word(of: device, on: record) != isFor else { return [] }
        let vote: MemberRecord
        do throws(MembershipError) {
            vote = try group.log.makeVote(isFor: isFor, record, keys: keys)
        } catch {
            throw .membership(error)
        }
        return try publish([vote], at: now)
    }
}
