import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// Ends a call: folds what became visible, commits, and only then speaks.
    mutating func settle(at now: Moment) throws(StorageError) -> [Effect] {
        // A message that was refused half way may have said that this life is over.
        try beginLife()
        if try sessions.rememberDeparted(&turn) { chains.damaged.peersLeft() }
        let isTime = arrivals.isTime(at: now)
        if isTime { try resumeReceiving(at: now) }
        try showMore(isTime: isTime, at: now)
        try introduce(at: now)
        try tendLanes(at: now)
        try wishForFiles(at: now)
        try tendFiles(at: now)
        for key in recordBook.setAside { turn.outbox.warn(.recordSetAside(key)) }
        recordBook.setAside = []
        try keepNotices(at: now)
        try posts.save(&turn)
        try commit(at: now)
        try endCatchUp(at: now)
        try speak(at: now)
        lanes?.speak(in: sessions, &turn)
        if !turn.grown.isEmpty { posts.changed(at: now) }
        return handOut()
    }

    /// Tries what waits after a write, once after the opening, and when it is time to receive more:
    /// first to store it, then to show it.
    private mutating func showMore(isTime: Bool, at now: Moment) throws(StorageError) {
        guard store.isInTransaction || !chains.hasSettled || chains.isShowingDue || isTime else {
            return
        }
        // Rows that go on to show follow from stored batches, and are lost with them at most.
        if chains.isShowingDue { try turn.writingCasually() }
        chains.isShowingDue = false
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
        try scopes.save(in: store, of: group)
        try sessions.peers.save(in: store)
        try chains.save(to: store)
        try store.commit()
        recordBook.tidy(at: now)
        if !turn.isRelaxed { chains.unsynced.madeDurable(&turn) }
        turn.isRelaxed = false
    }

    /// Syncs a backlog of which no more is about to come.
    private mutating func endCatchUp(at now: Moment) throws(StorageError) {
        guard turn.mustFlush || chains.unsynced.catchUp != nil else { return }
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
        return turn.outbox.effects(sends: sends)
    }

    /// Makes batches visible until nothing more can become so, or the call showed enough.
    mutating func fold(at now: Moment) throws(StorageError) {
        try countBatches()
        guard let group else { return }
        try writeLargeRow()
        repeat {
            let wasStale = chains.isStale
            if wasStale {
                // Rows are all that is left of batches that are lost.
                try saveFromRefold()
                arrivals.showAgain(chains.rows.values)
                try recordBook.beginAnew(log, &turn)
                chains.forgetVisible()
            }
            (chains.hidden.isPatient, chains.hidden.hasHeldBack) = (true, false)
            try showAll(of: group, at: now)
            while chains.hidden.hasHeldBack, !chains.isStale {
                chains.hidden.isPatient = false
                chains.hidden.hasHeldBack = false
                guard try showAll(of: group, at: now) else { break }
                chains.hidden.isPatient = true
                try showAll(of: group, at: now)
            }
            if chains.isDisordered, !chains.isStale {
                if !wasStale { try saveFromRefold() }
                if !chains.isStale { try mergeAnew(at: now) }
            }
        } while chains.isStale
        askForRepairs()
    }

    /// Merges all that shows anew, in order.
    private mutating func mergeAnew(at now: Moment) throws(StorageError) {
        try recordBook.beginAnew(log, &turn)
        chains.index.forgetFolded()
        chains.isDisordered = false
        author.clock = try recordBook.replay(
            log, &turn, &chains, isOpening: true, author.clock, at: now)
        try foldRows(after: 0)
    }

    /// Finds the batches that count; all is made anew where what shows is not what counts. A device
    /// that was removed goes on to show what it has.
    private mutating func countBatches() throws(StorageError) {
        let old = group?.counted ?? CountedChains()
        let new = try chains.counted(by: group, on: device, in: store)
        guard new != old else { return }
        membership.count(new)
        // A commit that was begun may have parts that do not count any more.
        chains.hidden.begun = nil
        recordBook.staged = nil
        if chains.rows.values.contains(where: { new.differs(from: old, in: $0) }) {
            chains.isStale = true
        }
    }

    /// Makes all batches visible that can become so, however long it takes: a command that opens a
    /// home reads at once.
    mutating func foldWholly(at now: Moment) throws(StorageError) {
        repeat {
            (turn.shown, chains.isShowingDue) = (0, false)
            try fold(at: now)
        } while isShowingDue
    }

    /// Makes batches visible until no chain goes on; returns true when any did.
    @discardableResult
    private mutating func showAll(of group: GroupState, at now: Moment) throws(StorageError) -> Bool
    {
        let held = scopeFilter
        let wasStaged = recordBook.staged != nil
        var any = try goOnStaging(of: group, at: now) && wasStaged
        var progress = true
        while progress {
            progress = false
            for key in chains.behind where mayShow(key, at: now) {
                while let batches = try chains.nextToShow(
                    of: key, group: group, held: held, telling: showing, upTo: limit(of: key),
                    &turn)
                {
                    (progress, any) = (true, true)
                    guard try show(batches, upTo: limit(of: key), of: group, at: now),
                        mayShow(key, at: now)
                    else { break }
                }
            }
        }
        return any
    }

    /// Returns the work of this call from which the next one goes on with a chain: what this device
    /// wrote, and what showed before, is not made to wait.
    private func limit(of key: ChainKey) -> Int {
        guard let row = chains[key], row.device != device,
            !arrivals.wasShown(row.applied + 1, of: key)
        else { return .max }
        return chains.shownInOneCall
    }

    /// Returns false while what others wrote has to wait: for the next call, when this one showed
    /// enough, or since it opened to more than one device may write in a day.
    private mutating func mayShow(_ key: ChainKey, at now: Moment) -> Bool {
        let limit = limit(of: key)
        guard limit < .max, let row = chains[key] else { return true }
        guard turn.shown < limit, recordBook.staged == nil else {
            chains.isShowingDue = true
            return false
        }
        return !arrivals.holdsBack(row.device, .decoded, at: now)
    }

    /// Shows a batch, whose chain was looked up when it was found.
    mutating func show(
        _ batch: VisibleBatch, of group: GroupState, at now: Moment
    ) throws(StorageError) {
        let row = batch.row
        let (stored, body) = try batch.read(of: group, in: store)
        if row.device != device, !arrivals.wasShown(batch.seq, of: row.key) {
            noteArrival(body, in: row, at: now)
        }
        if let body {
            try turn.writingDerived()
            try merge(body, of: stored, in: row, at: now)
            try noteApplied(batch, operations: body.operations.count)
        } else {
            try chains.damaged.noteLoss(of: stored, in: row, &turn)
            chains.index.advance(row.key, to: stored.seq)
        }
    }

    /// Counts what others wrote towards the work of this call and their allowance.
    mutating func noteArrival(_ body: BatchBody?, in row: ChainRow, at now: Moment) {
        arrivals.note(
            row.device, Arrivals(decodedBytes: body?.decodedBytes ?? 0),
            isKnown: scopes.known.holds(row.scope), at: now)
        turn.shown += body?.mergingWork ?? 0
    }

    /// Notes that a batch was merged, and writes some rows when it is time.
    mutating func noteApplied(
        _ batch: VisibleBatch, operations: Int
    ) throws(StorageError) {
        chains.index.advance(batch.row.key, to: batch.seq)
        turn.outbox.notify(
            .batchApplied(
                scope: batch.row.scope, device: batch.row.device, seq: batch.seq,
                operations: operations, local: false))
        try foldRows(after: operations)
    }

    /// Merges a batch that shows from now on. One that has effect in place of another one is not
    /// merged a second time.
    private mutating func merge(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow, at now: Moment
    ) throws(StorageError) {
        let damaged = chains.damaged
        let before = log
        switch chains.index.noteShown(restating: body.restates, in: row, at: stored.seq) {
        case .fits: break
        case .takesPlace(of: let sayer):
            if try before.operations(of: sayer) == body.operations { return }
            chains.isDisordered = true
        case .differs: chains.isDisordered = true
        }
        // All is merged anew then.
        if chains.isDisordered { return }
        try recordBook.merge(body, of: stored, in: row, before, &turn, &author.clock, at: now) {
            damaged.contains($1, of: $0)
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
        guard author.profile.isDue, group?.mayWrite(device) ?? false else { return }
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
                let mayGrant = !arrivals.holdsBack(state.device, .sent, at: now)
                for ack in try state.acknowledgements(
                    of: listed.elements, in: chains, mayGrant: mayGrant, store)
                {
                    try session.send(.ack, ack.encode())
                }
            }
            while try !state.pump(&chains, group, on: session, &turn) { askForRepairs() }
            try askForKeys(state, session: session, group)
            try certify(state, session: session, at: now)
            try speakOfBases(state, session: session)
            try speakOfBlocks(state, session: session, at: now)
            let inStep =
                state.isInStep(with: chains, within: group.rights.own)
                && group.isLevel(with: state.peerHeads, sent: session.sentHeads)
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
