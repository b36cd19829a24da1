import LinnetCRDT
import LinnetChannel
import LinnetStorage
import LinnetWire

extension Replica {
    /// Ends a call: folds what became visible, commits, and only then speaks.
    mutating func settle(at now: Moment) throws(StorageError) -> [Effect] {
        try rememberDeparted()
        if store.isInTransaction || !hasSettled {
            try retryPending()
            try fold(at: now)
            hasSettled = true
        }
        try introduce(at: now)
        try tendLanes(at: now)
        try keepNotices(at: now)
        if store.isInTransaction {
            try author.save(to: store)
            try saveChains()
            try store.commit()
            tidyRecords(at: now)
            if !turn.isRelaxed { madeDurable() }
            turn.isRelaxed = false
        }
        try endCatchUp(at: now)
        do throws(SessionFault) {
            try speak(at: now)
        } catch {
            if case .storage(let failure) = error { throw failure }
        }
        speakLanes()
        let sends = sessions.values.map { ($0.link, $0.channel.takeOutput()) }
        if storedOwn { turn.outbox.witness = witnessMark }
        for link in turn.outbox.closing { sessions[link] = nil }
        overlay.beginCall()
        defer { turn = Turn(store) }
        return turn.speak(sends: sends)
    }

    /// Writes this device's own row, once it belongs to a group.
    private mutating func introduce(at now: Moment) throws(StorageError) {
        guard author.profile.isDue, group != nil else { return }
        author.profile.isDue = false
        try turn.writing()
        do throws(ReplicaError) {
            try writeProfile(at: now)
        } catch {
            if case .storage(let failure) = error { throw failure }
        }
    }

    /// What the shell keeps outside the database.
    package var witnessMark: WitnessMark {
        WitnessMark(incarnation: incarnation, highestSent: author.count)
    }

    private var storedOwn: Bool {
        turn.grown.keys.contains { chains[$0]?.device == device }
    }

    /// Sends news, answers and batches to every open session.
    private mutating func speak(at now: Moment) throws(SessionFault) {
        for trunk in turn.divided.elements {
            guard let row = chains[trunk] else { continue }
            // A peer that knows the old name alone has to hear the new ones.
            for branch in chains.family(row.scope, author: row.author) {
                turn.announced.insert(branch.key)
            }
        }
        for session in sessions.values {
            // Also before the peer's greeting: our listing is on its way, and what is stored after
            // it would never be named again.
            guard case .open(var state) = session.state else { continue }
            try greet(state, session: session, at: now)
            for trunk in turn.divided.elements where state.scopes.holds(trunk.scope) {
                try proveFork(of: trunk, state: &state, session: session)
            }
            let announced = push(to: &state)
            var listed = turn.announced
            for key in announced { listed.insert(key) }
            if !listed.isEmpty || turn.answerDue.contains(session.link),
                let ack = try acknowledgement(of: listed.elements, to: state)
            {
                try send(.ack, ack.encode(), on: session)
            }
            try pump(&state, session: session)
            try certify(state, session: session, at: now)
            noteStep(&state)
            session.state = .open(state)
        }
    }

    /// Queues our own new batches for a peer that stands right before them; returns the chains that
    /// it must hear of instead.
    private func push(to state: inout OpenState) -> [ChainKey] {
        var announced: [ChainKey] = []
        for (key, firstNew) in turn.grown {
            guard let row = chains[key], firstNew <= durableSeq(row),
                state.scopes.holds(key.scope)
            else { continue }
            let listed = state.peer[key]?.seq ?? row.first - 1
            let queued = state.queue[key]?.upperBound ?? 0
            let reached = max(listed, queued, state.sentUpTo[key] ?? 0)
            let isOwn = author.wrote(row)
            if isOwn, state.heardHave, reached + 1 == firstNew, row.forkedAt == nil {
                let first = state.queue[key]?.lowerBound ?? firstNew
                state.queue[key] = first...durableSeq(row)
            } else {
                announced.append(key)
            }
        }
        return announced
    }

    private mutating func noteStep(_ state: inout OpenState) {
        let inStep = isInStep(with: state)
        if inStep, !state.saidInStep { turn.outbox.notify(.peerInStep(device: state.device)) }
        state.saidInStep = inStep
    }
}

extension UInt64 {
    /// Eight bytes, most significant first.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        BigEndian.append(self, to: &bytes)
        return bytes
    }
}
