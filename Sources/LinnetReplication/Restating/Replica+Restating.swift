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
        for (peer, known) in try store.peerKnowledge()
        where peer != device && members.contains(peer) {
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
        var plan = try RestatingPlan(chains, group, in: store, isHeld: isHeld)
        guard !plan.isEmpty else { return RestatingReport() }
        // What is said again has to be known as lost first, for records to be asked for it.
        while try RestatingPlan.findChanges(
            in: &chains, of: group.log.group, from: plan.cuts, &turn)
        {
            plan = try RestatingPlan(chains, group, in: store, isHeld: isHeld)
        }
        let (salvaged, report) = try salvage(plan)
        let later = try BuiltOnLoss(on: plan.cuts, chains.index, group, in: store)
        author.isSayingAgain = true
        defer { author.isSayingAgain = false }
        try turn.writing()
        let ended = plan.cuts.keys.compactMap { chains[$0] }
        // What this life wrote since may build on what is lost, so that it cannot come before it.
        try author.rotate(nil, &entropy, &turn)
        for (key, cut) in plan.cuts { try chains.cut(key, before: cut, in: store) }
        for row in ended {
            try sayAgain(row, from: plan.cuts[row.key] ?? row.first, plan, salvaged, later)
        }
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
        let now = author.clock.last
        for (key, seqs) in plan.lost {
            let places = seqs.elements.map { (seq: $0, place: place(of: key, $0)) }
            var lost = LostBatches()
            for (_, place) in places { lost.insert(place.seq, of: place.chain.chain) }
            let found = try reader.salvage(lost, in: key.scope)
            report.saved += UInt64(found.count)
            for (seq, place) in places {
                let isLast = seq == seqs.elements.last
                let own = found.filter {
                    $0.position.map { $0.chain == place.chain.chain && $0.seq == place.seq }
                        ?? isLast
                }
                if !own.contains(where: { $0.position != nil }) { report.silent += 1 }
                batches[key, seq] = SalvagedBatch(own, saying: place.restates, at: now)
            }
        }
        return (batches, report)
    }

    /// Returns the place at which the operations of a lost batch count, and how that is named: its
    /// own, or that of the batch that it said again.
    private func place(
        of key: ChainKey, _ seq: UInt64
    ) -> (chain: ChainKey, seq: UInt64, restates: Restatement) {
        var (chain, number, life) = (key, seq, chains[key]?.incarnation ?? incarnation)
        var origin: Restatement.Origin?
        if let named = chains.index.restatements.named(by: key, at: seq),
            let found = named.foreign?.incarnation ?? chains[named.chain]?.incarnation
        {
            (chain, number, life) = (named.chain, named.seq, found)
            origin = named.foreign?.origin
        }
        return (
            chain, number,
            Restatement(origin: origin, incarnation: life, seq: number, indices: nil)
        )
    }

    /// Says the batches of an ended chain again from a place on.
    private mutating func sayAgain(
        _ row: ChainRow, from cut: UInt64, _ plan: RestatingPlan, _ salvaged: SalvagedBatches,
        _ later: BuiltOnLoss
    ) throws(StorageError) {
        guard cut <= row.stored else { return }
        var unnamed: [UInt64] = []
        for seq in cut...row.stored {
            var body = try saidAgain(row, seq, plan, salvaged)
            if seq == cut { try addSeen(to: &body.attributes, before: row, later) }
            if let restates = body.restates, !restates.names(seq, of: row) {
                unnamed.append(seq)
            } else {
                try nameAgain(&unnamed, of: row)
            }
            try sealAgain(body, in: row.scope)
        }
        try nameAgain(&unnamed, of: row)
    }

    /// Returns the batch that says one of an ended chain again.
    private mutating func saidAgain(
        _ row: ChainRow, _ seq: UInt64, _ plan: RestatingPlan, _ salvaged: SalvagedBatches
    ) throws(StorageError) -> BatchBody {
        let stored = try store.heldBatch(of: row, at: seq)
        if let lost = salvaged[row.key, seq] { return lost.body(schema.version) }
        guard var body = group?.body(of: stored, in: row) else {
            let place = place(of: row.key, seq).restates
            return SalvagedBatch([], saying: place, at: author.clock.last).body(schema.version)
        }
        if plan.isBroken(body) { body.attributes = body.attributes.alone }
        // A batch that said another one again does so once more.
        body.restates = body.restates ?? Restatement(of: row, seq)
        return body
    }

    /// Says of batches that said others again that their place is taken: what was written after
    /// them depends on them by their own names, under which nobody says anything otherwise.
    private mutating func nameAgain(
        _ seqs: inout [UInt64], of row: ChainRow
    ) throws(StorageError) {
        for seq in seqs {
            let nothing = SalvagedBatch(
                [], saying: Restatement(of: row, seq), at: author.clock.last)
            try sealAgain(nothing.body(schema.version), in: row.scope)
        }
        seqs = []
    }

    /// Names in the first batch that says those of a chain again all that this device shows of
    /// others, but for what builds on the chain, and what is left of the chain. Other chains of its
    /// own may build on what is lost.
    private mutating func addSeen(
        to attributes: inout BatchAttributes, before row: ChainRow, _ later: BuiltOnLoss
    ) throws(StorageError) {
        let before = attributes
        let seen = later.before(chains.index)
        try author.addDependencies(to: &attributes, scope: row.scope, seen, store)
        let own = chains.rows.values.filter {
            $0.device == device && !($0.scope == row.scope && $0.chain == row.chain)
        }
        attributes.join(before, without: OrderedSet(own.map(\.key)))
        for chain in own { author.forget(chain.key) }
    }

    private mutating func sealAgain(
        _ body: BatchBody, in scope: ScopeID
    ) throws(StorageError) {
        guard let group else { return }
        let own = author.chain(in: scope)
        let head = chains[own]
        let batch: SealedBatch
        do throws(ReplicaError) {
            batch = try author.seal(
                body, scope: scope, seq: (head?.stored ?? 0) + 1, after: head?.head ?? .zero,
                for: group, keys.signing)
        } catch {
            throw .corrupt(where: "a batch that is said again does not fit")
        }
        _ = try chains.place(batch, author: author, under: schema, &turn)
        if body.attributes.parts > 1, let row = chains[own] {
            try store.setCommit(
                chain: row.index, seq: row.stored, commit: body.attributes.commit,
                part: body.attributes.part, parts: body.attributes.parts)
        }
        author.wroteBatch()
    }
}

extension Restatement {
    /// Names a batch of this device's own.
    fileprivate init(of row: ChainRow, _ seq: UInt64) {
        self.init(incarnation: row.incarnation, seq: seq, indices: nil)
    }

    /// Returns true when it names a batch of this device's own.
    fileprivate func names(_ seq: UInt64, of row: ChainRow) -> Bool {
        origin == nil && incarnation == row.incarnation && self.seq == seq
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
