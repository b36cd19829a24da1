import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    mutating func receiveMembership(
        _ type: MessageType, _ body: [UInt8], heads: inout [MemberRecordID], session: Session,
        at now: Moment
    ) throws(SessionFault) {
        switch type {
        case .memberHeads:
            let message = try decoded { () throws(WireError) in
                try MemberHeadsMessage.decode(body)
            }
            guard let group, message.group ?? group.log.group == group.log.group else {
                throw .violation
            }
            heads = message.heads
            let unknown = message.heads.filter { !group.log.contains($0) }
            if !unknown.isEmpty { try askForRecords(unknown, on: session) }
        case .memberGet:
            try answer(body, on: session)
        default:
            try receiveRecords(body, session: session, at: now)
        }
    }

    private func askForRecords(
        _ ids: [MemberRecordID], on session: Session
    ) throws(SessionFault) {
        guard let group else { return }
        let get = MemberGetMessage(
            group: group.log.group, wanted: Array(ids.prefix(Limits.memberGetRecords)),
            held: Array(group.log.heads.elements.prefix(Limits.memberGetRecords)))
        try send(.memberGet, get.encode(), on: session)
    }

    private func answer(_ body: [UInt8], on session: Session) throws(SessionFault) {
        let get = try decoded { () throws(WireError) in try MemberGetMessage.decode(body) }
        guard let group, get.group == group.log.group else { throw .violation }
        let held = OrderedSet(group.log.records(upTo: get.held).map(\.id))
        var records: [[UInt8]] = []
        var bytes = 0
        for record in group.log.records(upTo: get.wanted) where !held.contains(record.id) {
            bytes += record.encoded.count
            // The rest is asked for when these have arrived: their children name them as parents.
            guard bytes < Limits.messageBytes - 1_024,
                records.count < Limits.memberProofRecords
            else { break }
            records.append(record.encoded)
        }
        let message = MemberRecordsMessage(group: get.group, records: records)
        try send(.memberRecords, message.encode(), on: session)
    }

    private mutating func receiveRecords(
        _ body: [UInt8], session: Session, at now: Moment
    ) throws(SessionFault) {
        let message = try decoded { () throws(WireError) in
            try MemberRecordsMessage.decode(body)
        }
        guard message.group == group?.log.group else { throw .violation }
        var grew = false
        for bytes in message.records {
            do throws(MembershipError) {
                let record = try MemberRecord(decoding: bytes)
                guard var log = group?.log else { return }
                if case .inserted(let added) = try log.insert(record) {
                    group?.log = log
                    try keep(added)
                    grew = true
                } else {
                    group?.log = log
                }
            } catch {
                // A wrong record is the sender's fault, never that of the author it names.
                throw .violation
            }
        }
        try stored { () throws(StorageError) in try turn.checkStore() }
        guard grew else { return }
        try membershipGrew(at: now)
        let missing = group?.log.missingParents ?? []
        if !missing.isEmpty { try askForRecords(missing, on: session) }
    }

    /// Stores new membership records in the open transaction.
    mutating func keep(_ records: [MemberRecord]) throws(MembershipError) {
        do throws(StorageError) {
            try turn.writing()
            for record in records {
                try store.appendMemberRecord(id: record.id, bytes: record.encoded)
            }
        } catch {
            turn.failure = error
        }
    }

    /// Opens new keys, tells every session, and lets waiting batches and sessions go on.
    mutating func membershipGrew(at now: Moment) throws(SessionFault) {
        let before = OrderedSet(knownMembers)
        group?.update(schema: schema, keys: keys)
        guard let group else { return }
        chains.hasPending = true
        for epoch in group.ring.badEpochs { turn.outbox.warn(.badEpoch(epoch)) }
        if group.log.state.upgradeNeeded { turn.outbox.warn(.upgradeNeeded) }
        knownMembers = group.log.state.members.map(\.device)
        for member in knownMembers where !before.contains(member) {
            turn.outbox.notify(.memberAdded(member))
        }
        planRotation(at: now)
        for session in sessions.values {
            switch session.state {
            case .authorising, .open: try sendMemberHeads(on: session)
            default: continue
            }
            try openIfProven(session, at: now)
        }
    }

    /// When a member lacks the current keys, one device after the other may start a new epoch.
    private mutating func planRotation(at now: Moment) {
        rotationDue = nil
        guard let group, let turn = group.ring.rotationTurn(of: device, in: group.log) else {
            return
        }
        rotationDue = now.uptimeMilliseconds + Int64(turn) * Self.rotationStepMilliseconds
    }

    private static var rotationStepMilliseconds: Int64 { 10_000 }

    /// Starts the epoch that is due.
    mutating func rotate(at now: Moment) throws(StorageError) {
        rotationDue = nil
        guard var group, group.ring.rotationTurn(of: device, in: group.log) != nil else { return }
        do throws(MembershipError) {
            let record = try group.log.makeEpoch(ring: group.ring, keys: keys, entropy: &entropy)
            guard case .inserted(let added) = try group.log.insert(record) else { return }
            self.group = group
            try keep(added)
        } catch {
            return
        }
        try turn.checkStore()
        do throws(SessionFault) {
            try membershipGrew(at: now)
        } catch {
            if case .storage(let failure) = error { throw failure }
        }
    }
}
