import LinnetMembership
import LinnetStorage
package import LinnetWire

extension Replica {
    /// Votes for or against a removal, or a role that a record gives, whatever this device said of
    /// it before. Nothing is signed where it said the same.
    package mutating func vote(
        on record: MemberRecordID, isFor: Bool, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        // The votes of a device that never could write are not counted.
        guard group.isKept(device) else { throw .mayNotWrite }
        let removals = Removals(group.log)
        guard removals.withRoles.contains(where: { $0.id == record }) else {
            throw .noSuchRecord(record.description)
        }
        guard removals.word(of: device, on: record) != isFor else { return [] }
        return try publish([try vote(isFor: isFor, on: record, in: group)], at: now)
    }

    private func vote(
        isFor: Bool, on record: MemberRecordID, in group: GroupState
    ) throws(ReplicaError) -> MemberRecord {
        do throws(MembershipError) {
            return try group.log.makeVote(isFor: isFor, record, keys: keys)
        } catch {
            throw .membership(error)
        }
    }

    /// Notes the person's answer to a question about the group, with a vote where it needs one: for
    /// the admission of a device that she knows, and against a removal or a role that she does not
    /// want. A device whose admission was not hers is not accepted by itself any more.
    package mutating func answer(
        _ record: MemberRecordID, isOwn: Bool, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        if let failure { throw .storage(failure) }
        guard
            let question = GroupQuestions(group.log).all(for: device)
                .first(where: { $0.record == record })
        else { throw .noSuchRecord(record.description) }
        if needsVote(question, isOwn: isOwn) {
            guard question.matter == .admission || group.isKept(device) else {
                throw .mayNotWrite
            }
            let vote = try vote(isFor: isOwn, on: record, in: group)
            membership.questions.answer(record, isOwn: isOwn)
            return try publish([vote], at: now)
        }
        membership.questions.answer(record, isOwn: isOwn)
        membership.plan(of: device, at: now)
        do throws(StorageError) {
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }

    /// The questions about the group that the person at this device is asked, and those that she
    /// answered.
    package var askedQuestions: [AskedQuestion] {
        guard let log = group?.log else { return [] }
        return GroupQuestions(log).all(for: device).map { membership.questions.asked($0) }
    }

    /// True when an answer has to be signed. Nothing takes an acceptance back, and no vote undoes
    /// what a recovery key did.
    private func needsVote(_ question: GroupQuestion, isOwn: Bool) -> Bool {
        if question.matter == .admission { return isOwn }
        guard !question.isByRecovery, let log = group?.log else { return false }
        let word = Removals(log).word(of: device, on: question.record)
        return word.map { $0 != isOwn } ?? !isOwn
    }

    /// Accepts the members that the person had seven days to speak of.
    mutating func acceptMembers(at now: Moment) throws(StorageError) {
        let isMore = membership.acceptDue(keys, at: now, &turn)
        try turn.checkStore()
        guard isMore else {
            // The clock was put back meanwhile, or the log has no room.
            membership.plan(of: device, at: now)
            if let due = membership.acceptanceDue, due <= now.uptimeMilliseconds {
                membership.acceptanceDue = nil
            }
            return
        }
        do throws(SessionFault) {
            try membershipGrew(at: now)
        } catch {
            if case .storage(let failure) = error { throw failure }
        }
    }
}
