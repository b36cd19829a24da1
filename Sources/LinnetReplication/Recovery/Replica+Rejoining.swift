package import LinnetMembership
import LinnetStorage
package import LinnetWire

extension Replica {
    /// Becomes a member of a group that was found in a mailbox, by the recovery key of its phrase,
    /// and uses that mailbox from now on. Nothing is put there yet.
    ///
    /// - Parameter access: the account, in the form of the shell; empty where there is none.
    package mutating func rejoin(
        _ found: FoundGroup, phrase: RecoveryPhrase, mailbox address: String,
        access: [UInt8] = [], at now: Moment
    ) throws(ReplicaError) -> (mailbox: MailboxID, effects: [Effect]) {
        guard group == nil else { throw .alreadyAMember }
        if let failure { throw .storage(failure) }
        let log: MembershipLog
        do throws(MembershipError) {
            log = try membershipLog(in: found.records, phrase)
        } catch {
            throw .membership(error)
        }
        turn.keep(log.records)
        membership.enter(log, schema: schema, keys: keys)
        author.profile.isDue = true
        posts.lent = found.keys
        let id = posts.add(address)
        if !access.isEmpty { posts.setAccess(access, of: id) }
        do throws(StorageError) {
            try turn.checkStore()
            do throws(SessionFault) {
                try membershipGrew(at: now)
            } catch {
                if case .storage(let failure) = error { throw failure }
            }
            return (id, try settle(at: now))
        } catch {
            throw .storage(fail(error))
        }
    }

    /// Looks into a mailbox, with the keys that the recovery phrase opened too, and leaves nothing.
    package mutating func beginMailReading(
        _ id: MailboxID, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        try beginMailRound(id, .reading, at: now)
    }
}
