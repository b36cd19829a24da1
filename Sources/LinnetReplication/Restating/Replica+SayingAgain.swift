import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The saying of batches again under a new life.
extension Replica {
    /// Says the batches of ended chains again, each chain from its cut on.
    mutating func sayAgain(
        _ ended: [ChainRow], _ plan: RestatingPlan, _ salvaged: SalvagedBatches
    ) throws(StorageError) {
        guard let group else { return }
        var order = SayingOrder(chains.index.restatements)
        for row in ended {
            guard let cut = plan.cuts[row.key], cut <= row.stored else { continue }
            try add(cut, of: row, to: &order, plan, salvaged)
        }
        var unnamed = UnnamedBatches()
        var later: (lives: OrderedSet<Incarnation>, built: BuiltOnLoss)?
        while let (next, lives) = order.take() {
            for named in unnamed.take(before: next) { try nameAgain(named) }
            var body = next.body
            if next.seq == plan.cuts[next.row.key] {
                if later?.lives != lives {
                    later = (lives, try builtOnLoss(of: lives, plan, group))
                }
                if let built = later?.built {
                    try addSeen(to: &body.attributes, before: next.row, built)
                }
            }
            if next.saysAnother { unnamed.add(next.seq, of: next.row) }
            try sealAgain(body, in: next.row.scope)
            guard next.seq < next.row.stored else { continue }
            try add(next.seq + 1, of: next.row, to: &order, plan, salvaged)
        }
        for named in unnamed.takeAll() { try nameAgain(named) }
    }

    private mutating func add(
        _ seq: UInt64, of row: ChainRow, to order: inout SayingOrder, _ plan: RestatingPlan,
        _ salvaged: SalvagedBatches
    ) throws(StorageError) {
        let body = try saidAgain(row, seq, plan, salvaged)
        let lost = salvaged[row.key, seq]
        var stamp = lost == nil ? body.stamp : lost?.written
        if stamp == nil, seq == plan.cuts[row.key] { stamp = try self.stamp(before: seq, of: row) }
        order.add(seq, of: row, body, at: stamp)
    }

    /// Returns the time of the last batch before a place of which it is known.
    private func stamp(before seq: UInt64, of row: ChainRow) throws(StorageError) -> Timestamp? {
        var seq = seq
        while seq > row.first {
            seq -= 1
            let stored = try store.heldBatch(of: row, at: seq)
            if let stamp = group?.body(of: stored, in: row)?.stamp { return stamp }
        }
        return nil
    }

    /// Returns what builds on the lost batches of some lives. What builds on those of a life that
    /// was said again already is there with it.
    private func builtOnLoss(
        of lives: OrderedSet<Incarnation>, _ plan: RestatingPlan, _ group: GroupState
    ) throws(StorageError) -> BuiltOnLoss {
        var cuts = OrderedTable<ChainKey, UInt64>()
        for (key, cut) in plan.cuts {
            if let row = chains[key], lives.contains(row.incarnation) { cuts[key] = cut }
        }
        return try BuiltOnLoss(on: cuts, chains.index, group, in: store)
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
    private mutating func nameAgain(_ batches: UnnamedBatches.Run) throws(StorageError) {
        for seq in batches.seqs {
            let nothing = SalvagedBatch(
                [], saying: Restatement(of: batches.row, seq), at: author.clock.last)
            try sealAgain(nothing.body(schema.version), in: batches.row.scope)
        }
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
}

extension BatchBody {
    /// The time at which it was written. What says nothing was made when a batch was said again,
    /// and has none.
    fileprivate var stamp: Timestamp? { operations.isEmpty ? nil : attributes.baseStamp }
}
