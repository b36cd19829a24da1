import LinnetCRDT
import LinnetChannel
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    mutating func receiveMembership(
        _ type: MessageType, _ body: [UInt8], heads: inout [MemberRecordID], session: Session,
        at now: Moment
    ) throws(SessionFault) {
        guard let group else { throw .violation }
        switch type {
        case .memberHeads:
            let message = try decoded { () throws(WireError) in
                try MemberHeadsMessage.decode(body)
            }
            guard message.group ?? group.log.group == group.log.group else { throw .violation }
            heads = message.heads
            let unknown = message.heads.filter { !group.log.contains($0) }
            guard !unknown.isEmpty else { return }
            try session.send(.memberGet, group.request(for: unknown).encode())
        case .memberGet:
            let get = try decoded { () throws(WireError) in try MemberGetMessage.decode(body) }
            guard get.group == group.log.group else { throw .violation }
            try session.send(.memberRecords, group.answer(to: get).encode())
        default:
            let message = try decoded { () throws(WireError) in
                try MemberRecordsMessage.decode(body)
            }
            guard message.group == group.log.group else { throw .violation }
            let grew: Bool
            do throws(MembershipError) {
                grew = try membership.take(message.records, &turn)
            } catch {
                // A wrong record is the fault of its sender, never that of the author whom it
                // names.
                throw .violation
            }
            try stored { () throws(StorageError) in try turn.checkStore() }
            guard grew else { return }
            try membershipGrew(at: now, from: session)
            guard let group = self.group, !group.log.missingParents.isEmpty else { return }
            let request = group.request(for: group.log.missingParents)
            try session.send(.memberGet, request.encode())
        }
    }

    /// Tells every session that the log grew, and lets waiting batches and sessions go on.
    mutating func membershipGrew(
        at now: Moment, from sender: Session? = nil
    ) throws(SessionFault) {
        membership.grew(schema: schema, keys: keys, at: now, &turn)
        guard let group else { return }
        chains.hasPending = true
        for session in sessions.all {
            switch session.state {
            case .open where session === sender: continue
            case .authorising, .open: try session.send(.memberHeads, group.memberHeads.encode())
            default: continue
            }
            try openIfProven(session, at: now)
        }
    }

    /// Starts the epoch that is due.
    mutating func rotate(at now: Moment) throws(StorageError) {
        guard membership.rotate(keys, &entropy, &turn) else { return }
        try turn.checkStore()
        do throws(SessionFault) {
            try membershipGrew(at: now)
        } catch {
            if case .storage(let failure) = error { throw failure }
        }
    }
}
