import LinnetCRDT
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
            let before = heads
            heads = message.heads
            let unknown = message.heads.filter { !group.log.contains($0) }
            guard !unknown.isEmpty else { return }
            try session.send(
                .memberGet, group.request(for: unknown, from: before + heads).encode())
        case .memberGet:
            let get = try decoded { () throws(WireError) in try MemberGetMessage.decode(body) }
            guard get.group == group.log.group else { throw .violation }
            let (answer, isWhole) = group.answer(to: get)
            try session.send(.memberRecords, answer.encode())
            if isWhole { session.sentHeads = get.held + get.wanted }
        default:
            let message = try decoded { () throws(WireError) in
                try MemberRecordsMessage.decode(body)
            }
            guard message.group == group.log.group else { throw .violation }
            let device = device
            let taken = membership.take(
                message.records, by: device, &sessions.arrivals, at: now, &turn)
            try stored { () throws(StorageError) in try turn.checkStore() }
            if !taken.added.isEmpty { try membershipGrew(at: now, from: session) }
            // A wrong record is the sender's fault, never that of the author it names.
            guard taken.refusal == nil else { throw .violation }
            // What waits is asked for when its time has come.
            guard !taken.added.isEmpty, !taken.isHeldBack else { return }
            guard let group = self.group else { return }
            // The answer may not have fitted into one message.
            let lacking = group.log.missingParents + heads.filter { !group.log.contains($0) }
            guard !lacking.isEmpty else { return }
            try session.send(.memberGet, group.request(for: lacking, from: heads).encode())
        }
    }

    /// Tells every session that the log grew, and lets waiting batches and sessions go on.
    mutating func membershipGrew(
        at now: Moment, from sender: Session? = nil
    ) throws(SessionFault) {
        let before = group?.rights
        let isMore = membership.grew(schema: schema, keys: keys, at: now, &entropy, &turn)
        guard let group else { return }
        try stored { () throws(StorageError) in try followGrants(before: before) }
        chains.waiting.groupGrew()
        posts.changed(at: now)
        for session in sessions.all {
            try stored { () throws(StorageError) in
                // Each session ends for its own faults alone.
                try carrying(on: session) { (replica) throws(SessionFault) in
                    try replica.tellNews(
                        to: session, group, knows: session === sender && !isMore, at: now)
                }
            }
        }
    }

    /// Tells a peer that the log grew, unless it knows.
    private mutating func tellNews(
        to session: Session, _ group: GroupState, knows: Bool, at now: Moment
    ) throws(SessionFault) {
        switch session.state {
        case .open(let state) where group.isOut(device, or: state.device):
            return try dismiss(state, session: session, group)
        case .open where knows: return
        case .authorising where session.late.isTaking: break
        case .authorising, .open: try session.send(.memberHeads, group.memberHeads.encode())
        default: return
        }
        try openIfProven(session, at: now)
    }

    /// Ends a session in which one side belongs to the group no more; the other one hears why, and
    /// nothing else.
    private mutating func dismiss(
        _ state: OpenState, session: Session, _ group: GroupState
    ) throws(SessionFault) {
        let news = MemberGetMessage(
            group: group.log.group, wanted: group.log.heads.elements, held: state.peerHeads)
        try session.send(.memberRecords, group.answer(to: news).message.encode())
        if group.log.state.member(state.device) == nil {
            end(session, .formerMember, telling: .removed)
        } else {
            end(session, .removed, telling: .normal)
        }
    }

    /// Asks for what was held back, now that more may come.
    mutating func resumeReceiving(at now: Moment) throws(StorageError) {
        for (session, state) in sessions.open where session.isLive {
            turn.answerDue.insert(session.link)
            guard let log = group?.log else { continue }
            let lacking = log.missingParents + state.peerHeads.filter { !log.contains($0) }
            guard !lacking.isEmpty else { continue }
            try carrying(on: session) { (replica) throws(SessionFault) in
                guard let group = replica.group else { return }
                try session.send(
                    .memberGet, group.request(for: lacking, from: state.peerHeads).encode())
            }
        }
    }

    /// Starts the epoch that is due.
    mutating func rotate(at now: Moment) throws(StorageError) {
        let chains = chains
        let rights = group?.rights
        let isRotated = membership.rotate(keys, &entropy, &turn) {
            Array(chains.index.heads(of: $0, within: rights).prefix(BatchHead.usual))
        }
        guard isRotated else {
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
