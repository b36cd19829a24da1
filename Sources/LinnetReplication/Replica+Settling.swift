import LinnetCRDT
import LinnetChannel
import LinnetStorage
import LinnetWire

extension Replica {
    /// Ends a call: folds what became visible, commits, and only then speaks.
    mutating func settle(at now: Moment) throws(StorageError) -> [Effect] {
        // A message that was refused half way may have said that this life is over.
        try beginLife()
        try rememberDeparted()
        try showMore(at: now)
        try introduce(at: now)
        try tendLanes(at: now)
        try keepNotices(at: now)
        try commit(at: now)
        try endCatchUp(at: now)
        try speak(at: now)
        speakLanes()
        return handOut()
    }

    /// Tries what waits after a write, and once after the opening: first to store it, then to show
    /// it.
    private mutating func showMore(at now: Moment) throws(StorageError) {
        guard store.isInTransaction || !chains.hasSettled else { return }
        if let group {
            try chains.retryPending(of: group, author: author, under: schema, &turn)
            try beginLife()
        }
        try fold(at: now)
        chains.hasSettled = true
    }

    /// Commits the transaction of the call, if there is one.
    private mutating func commit(at now: Moment) throws(StorageError) {
        guard store.isInTransaction else { return }
        try author.save(to: store)
        try saveKnownScopes()
        try peers.save(in: store)
        try chains.save(to: store)
        try store.commit()
        recordBook.tidy(at: now)
        if !turn.isRelaxed { chains.unsynced.madeDurable(&turn) }
        turn.isRelaxed = false
    }

    /// Syncs a backlog of which no more is about to come.
    private mutating func endCatchUp(at now: Moment) throws(StorageError) {
        let peers = sessions
        try chains.unsynced.endCatchUp(at: now, chains.index, &turn) { peers.list($0, beyond: $1) }
    }

    /// Ends the turn, and returns what the shell performs.
    private mutating func handOut() -> [Effect] {
        let sends = sessions.takeOutput()
        if storedOwn { turn.outbox.witness = witnessMark }
        sessions.remove(turn.outbox.closing)
        recordBook.overlay.beginCall()
        defer { turn = Turn(store) }
        return turn.speak(sends: sends)
    }

    /// Makes batches visible until nothing more can become so.
    mutating func fold(at now: Moment) throws(StorageError) {
        guard let group else { return }
        if chains.isStale {
            try recordBook.removeAll(&turn)
            chains.forgetVisible()
        }
        let held = scopeFilter
        var progress = true
        while progress {
            progress = false
            for key in chains.index.behind {
                while let batches = try chains.nextToShow(
                    of: key, group: group, held: held, telling: showing, &turn)
                {
                    let isWhole = batches.count > 1
                    var told = ShowingProgress(
                        batches: batches.count, areOpened: true, isWhole ? showing : nil)
                    for batch in batches {
                        told.merged()
                        try show(batch, at: now)
                    }
                    progress = true
                }
            }
        }
        askForRepairs()
    }

    private mutating func show(_ batch: VisibleBatch, at now: Moment) throws(StorageError) {
        if let body = batch.body {
            let (stored, row) = (batch.stored, batch.row)
            try turn.writingDerived()
            try recordBook.merge(body, of: stored, in: row, log, &turn, &author.clock, at: now)
            chains.index.advance(row.key, to: stored.seq)
            turn.outbox.notify(
                .batchApplied(
                    scope: row.scope, device: row.device, seq: stored.seq,
                    operations: body.operations.count, local: false))
            try foldRows(after: body.operations.count)
        } else {
            try chains.damaged.noteLoss(of: batch.stored, in: batch.row, &turn)
            chains.index.advance(batch.row.key, to: batch.stored.seq)
        }
    }

    /// Asks every peer that lists a batch which was found damaged here for a good copy, but for the
    /// one that sends it.
    mutating func askForRepairs(except sender: Session? = nil) {
        let damaged = turn.takeDamaged()
        guard !damaged.isEmpty else { return }
        sessions.ask(for: damaged, except: sender)
    }

    /// Begins a new life where a machine found that this one is over.
    mutating func beginLife() throws(StorageError) {
        guard let reason = turn.rotation.take() else { return }
        try author.rotate(reason, &entropy, &turn)
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

    /// The mark that the shell keeps outside the database.
    package var witnessMark: WitnessMark {
        WitnessMark(incarnation: incarnation, highestSent: author.count)
    }

    private var storedOwn: Bool {
        turn.grown.keys.contains { chains[$0]?.device == device }
    }

    /// Sends news, answers and batches; a session that cannot go on ends the round.
    private mutating func speak(at now: Moment) throws(StorageError) {
        do throws(SessionFault) {
            try speakInSessions(at: now)
        } catch {
            if case .storage(let failure) = error { throw failure }
        }
    }

    /// Sends news, answers and batches to every open session.
    private mutating func speakInSessions(at now: Moment) throws(SessionFault) {
        guard let group else { return }
        for trunk in turn.divided.elements {
            guard let row = chains[trunk] else { continue }
            // A peer that knows only the old name has to hear the new ones.
            for branch in chains.index.family(row.scope, author: row.author) {
                turn.announced.insert(branch.key)
            }
        }
        // This happens before the peer's greeting too: our listing is on its way, and batches that
        // are stored after it would never be named again.
        for (session, state) in sessions.open where session.isLive {
            try greet(state, session: session, at: now)
            for trunk in turn.divided.elements where state.greeting.scopes.holds(trunk.scope) {
                try state.proveFork(of: trunk, chains, group, on: session, store)
            }
            var listed = turn.announced
            for key in state.push(turn.grown, of: chains, by: author) { listed.insert(key) }
            if !listed.isEmpty || !state.listings.rest.isEmpty
                || turn.answerDue.contains(session.link)
            {
                for ack in try state.acknowledgements(of: listed.elements, in: chains, store) {
                    try session.send(.ack, ack.encode())
                }
            }
            while try !state.pump(&chains, group, on: session, &turn) { askForRepairs() }
            try certify(state, session: session, at: now)
            let inStep = state.isInStep(with: chains)
            if inStep, !state.saidInStep {
                turn.outbox.notify(.peerInStep(device: state.device))
            }
            state.saidInStep = inStep
            try stored { () throws(StorageError) in try learnScopes(from: state) }
        }
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
