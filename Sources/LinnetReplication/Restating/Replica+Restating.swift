import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The numbers of lost batches and of their changes that a device said again.
package struct RestatingReport: Equatable, Sendable {
    /// The number of batches that were lost.
    package var lost: UInt64 = 0
    /// The number of changes in them that records showed, and that were said again.
    package var saved: UInt64 = 0
    /// The number of lost batches of which no record shows anything.
    package var silent: UInt64 = 0

    /// Joins the numbers.
    package init(lost: UInt64 = 0, saved: UInt64 = 0, silent: UInt64 = 0) {
        (self.lost, self.saved, self.silent) = (lost, saved, silent)
    }

    /// Counts both together.
    static func + (left: RestatingReport, right: RestatingReport) -> RestatingReport {
        RestatingReport(
            lost: left.lost + right.lost, saved: left.saved + right.saved,
            silent: left.silent + right.silent)
    }
}

/// A batch of this device that its disk lost breaks the chain: nobody else ever gets what follows.
/// A peer that holds it heals the chain. Where no peer is known to hold it, the device ends that
/// life before the loss and says again, under a new one, what records show of the lost batches and
/// all that follows.
extension Replica {
    /// Says lost batches again that a peer is known to hold but did not give back.
    ///
    /// Returns what was said again; nothing when nothing of this device is damaged.
    package mutating func restateLost(
        at now: Moment
    ) throws(ReplicaError) -> (report: RestatingReport, effects: [Effect]) {
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            let report = try restate { _, _ in false }
            return (report, try settle(at: now))
        } catch {
            throw .storage(fail(error))
        }
    }

    /// True when the shell has to call, since it is to be decided whether lost batches are said
    /// again.
    var isRestatingDue: Bool { chains.damaged.isRestatingDue && group != nil }

    /// Says lost batches again that no peer can have, when something new is known of them.
    mutating func restateWhenDue() throws(StorageError) {
        guard chains.damaged.isRestatingDue, group != nil else { return }
        chains.damaged.isRestatingDue = false
        let held = try heldElsewhere()
        _ = try restate { key, seq in held[key] ?? 0 >= seq }
    }

    /// Has rows of own batches that are gone looked for soon; at once where all records are about
    /// to be made anew, so that what is lost is said again by the rows that are there.
    mutating func findLost(at now: Moment) throws(StorageError) {
        guard let group else { return }
        chains.gapSearch = GapSearch(due: now.uptimeMilliseconds + Limits.gapSearchMilliseconds)
        if chains.isStale {
            while chains.gapSearch != nil { try searchForGaps() }
            let held = try heldElsewhere()
            try RestatingPlan.findChanges(
                in: &chains, of: group.log.group, heldUpTo: { held[$0] ?? 0 }, &turn)
            // Rows say again what is lost only when they are complete.
            if chains.damaged.isRestatingDue { try replay() }
        }
        try restateWhenDue()
    }

    /// Goes on with the look for rows of own batches that are gone, when it is time.
    mutating func searchForGaps(at now: Moment) throws(StorageError) {
        guard let due = chains.gapSearch?.due, due <= now.uptimeMilliseconds else { return }
        try searchForGaps()
    }

    private mutating func searchForGaps() throws(StorageError) {
        guard var search = chains.gapSearch else { return }
        let held = try heldElsewhere()
        let isDone = try search.step(in: &chains, heldUpTo: { held[$0] ?? 0 }, &turn)
        chains.gapSearch = isDone ? nil : search
    }

    /// Looks through the own batches that nobody else is known to have before all records are made
    /// anew from the batches, and says again what is lost of them.
    mutating func saveFromRefold() throws(StorageError) {
        guard let group, !author.isSayingAgain else { return }
        let held = try heldElsewhere()
        try RestatingPlan.findChanges(
            in: &chains, of: group.log.group, heldUpTo: { held[$0] ?? 0 }, &turn)
        try restateWhenDue()
    }

    /// Returns the last batch of each of this device's chains that an active member said it holds.
    private mutating func heldElsewhere() throws(StorageError) -> OrderedTable<ChainKey, UInt64> {
        var held: OrderedTable<ChainKey, UInt64> = OrderedTable()
        let members = OrderedSet(membership.members)
        func note(_ key: ChainKey, _ seq: UInt64) {
            guard chains[key]?.device == device else { return }
            held[key] = max(held[key] ?? 0, seq)
        }
        // It may have lost since what it was known to hold.
        let heard = OrderedSet(sessions.open.filter { $0.1.heardHave }.map { $0.1.device })
        for (peer, known) in try store.peerKnowledge()
        where peer != device && members.contains(peer) && !heard.contains(peer) {
            for scope in known.listing.scopes {
                for head in scope.heads {
                    note(ChainKey(scope: scope.scope, chain: head.chain), head.seq)
                }
            }
        }
        for (_, state) in sessions.open where state.device != device {
            for (key, head) in state.peer { note(key, head.seq) }
        }
        return held
    }

    private mutating func restate(
        unless isHeld: (ChainKey, UInt64) -> Bool
    ) throws(StorageError) -> RestatingReport {
        guard let group, author.open == nil, group.ring.writing?.dataKey != nil else {
            return RestatingReport()
        }
        var plan = try RestatingPlan(
            chains, group, scopeFilter, in: store, isHeld: isHeld)
        guard !plan.isEmpty else { return RestatingReport() }
        // Records are asked for all that nobody can give back, so that it has to be known as lost
        // first: they are made anew afterwards, from the batches that can be read.
        let held = try heldElsewhere()
        if try RestatingPlan.findChanges(
            in: &chains, of: group.log.group, heldUpTo: { held[$0] ?? 0 }, &turn)
        {
            plan = try RestatingPlan(chains, group, scopeFilter, in: store, isHeld: isHeld)
        }
        while try RestatingPlan.findChanges(
            in: &chains, of: group.log.group, from: plan.cuts, &turn)
        {
            plan = try RestatingPlan(chains, group, scopeFilter, in: store, isHeld: isHeld)
        }
        let (salvaged, report) = try salvage(plan)
        author.isSayingAgain = true
        defer { author.isSayingAgain = false }
        try turn.writing()
        let ended = plan.cuts.keys.compactMap { chains[$0] }
        // What this life wrote since may build on what is lost, so that it cannot come before it.
        try author.rotate(nil, &entropy, &turn)
        for (key, cut) in plan.cuts { try chains.cut(key, before: cut, in: store) }
        // All that is said again is missing now, and so is what builds on it.
        chains.forgetVisible()
        try sayAgain(ended, plan, salvaged)
        for row in ended {
            try store.removeBatches(chain: row.index, from: plan.cuts[row.key] ?? row.first)
        }
        if chains.damaged.isEmpty { try store.setValue(.schema, schema.foldMark) }
        chains.isStale = true
        turn.outbox.warn(.batchesRestated(report))
        return report
    }

    /// Returns the ops of lost batches that records show, by the place of each batch.
    private mutating func salvage(
        _ plan: RestatingPlan
    ) throws(StorageError) -> (SalvagedBatches, RestatingReport) {
        var batches = SalvagedBatches()
        var report = RestatingReport(lost: UInt64(plan.lostCount))
        for scope in OrderedSet(plan.lost.keys.map(\.scope)).elements {
            var gone: [LostBatch] = []
            for (key, seqs) in plan.lost where key.scope == scope {
                guard let row = chains[key] else { continue }
                for seq in seqs.elements {
                    gone.append(
                        LostBatch(
                            chain: key, seq: seq, place: plan.before.place(of: key, seq, in: row),
                            neighbour: try stamp(beside: seq, of: row) ?? .zero))
                }
            }
            var lost = LostBatches(among: chains.index.names(in: scope))
            for batch in gone { lost.insert(batch.place.seq, of: batch.place.chain.chain) }
            let found = try reader.salvage(lost, in: scope)
            report.saved += UInt64(found.count)
            for place in gone.indices { gone[place].take(from: found) }
            report.silent += UInt64(gone.count { $0.found.isEmpty })
            // All had been done when the newest of them was written.
            let newest = gone.indices.max { gone[$0].comes(before: gone[$1]) }
            if let newest { gone[newest].found += found.filter { $0.position == nil } }
            for batch in gone {
                batches[batch.chain, batch.seq] = SalvagedBatch(
                    batch.found, saying: batch.place.restates, at: author.clock.last)
            }
        }
        return (batches, report)
    }
}

extension ChainIndex {
    /// Returns the place at which the operations of a lost batch count, and how that is named: its
    /// own, or that of the batch that it said again.
    func place(of key: ChainKey, _ seq: UInt64, in row: ChainRow) -> LostBatch.Place {
        var (chain, number, life) = (key, seq, row.incarnation)
        var origin: Restatement.Origin?
        if let named = restatements.named(by: key, at: seq),
            let found = named.foreign?.incarnation ?? self[named.chain]?.incarnation
        {
            (chain, number, life) = (named.chain, named.seq, found)
            origin = named.foreign?.origin
        }
        return LostBatch.Place(
            chain: chain, seq: number,
            restates: Restatement(origin: origin, incarnation: life, seq: number, indices: nil))
    }
}

extension ChainBook {
    /// Ends a chain before a batch, whose row and those after it the caller removes.
    fileprivate mutating func cut(
        _ key: ChainKey, before seq: UInt64, in store: any Store
    ) throws(StorageError) {
        guard var row = index[key] else { return }
        row.head =
            try seq > row.first
            ? store.batchID(chain: row.index, seq: seq - 1) ?? .zero : .zero
        row.stored = seq - 1
        row.applied = min(row.applied, row.stored)
        row.folded = min(row.folded, row.stored)
        index[key] = row
        damaged.forget(key, from: seq)
        unsynced.forget(key)
    }
}
