import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The saying of batches again under a new life.
///
/// Each is said when all shows that it names, and names only what shows. So none can wait for
/// another one that is said later, nor for what others built on such a one.
extension Replica {
    /// Says the batches of ended chains again, each chain from its cut on.
    mutating func sayAgain(
        _ ended: [ChainRow], _ plan: RestatingPlan, _ salvaged: SalvagedBatches
    ) throws(StorageError) {
        guard let group else { return }
        var order = SayingOrder()
        for row in ended {
            guard let cut = plan.cuts[row.key], cut <= row.stored else { continue }
            try add(cut, of: row, to: &order, plan, salvaged)
        }
        var unnamed = UnnamedBatches()
        while let next = try next(in: order, &unnamed, plan, of: group) {
            order.take(next)
            for named in unnamed.take(before: next) { try nameAgain(named) }
            var body = next.body
            let isLost = salvaged[next.row.key, next.seq] != nil
            if isLost || next.seq == plan.cuts[next.row.key] {
                try noteShown(again: plan, of: group)
                var seen = BatchAttributes(
                    commit: .zero, schemaVersion: schema.version, baseStamp: .zero)
                try author.addDependencies(
                    to: &seen, scope: next.row.scope, chains.index, group.counted, store)
                body.attributes.join(seen)
            }
            if next.saysAnother { unnamed.add(next.seq, of: next.row) }
            try sealAgain(body, in: next.row.scope)
            guard next.seq < next.row.stored else { continue }
            try add(next.seq + 1, of: next.row, to: &order, plan, salvaged)
        }
        for named in unnamed.takeAll() { try nameAgain(named) }
        try noteShown(again: plan, of: group)
    }

    private mutating func noteShown(
        again plan: RestatingPlan, of group: GroupState
    ) throws(StorageError) {
        let again = ShowingAgain(before: plan.before, group: group, held: scopeFilter)
        try again.note(in: &chains, &turn)
    }

    /// Returns the batch that is said next: the first written one of those that build on nothing
    /// that is to be said yet.
    private mutating func next(
        in order: SayingOrder, _ unnamed: inout UnnamedBatches, _ plan: RestatingPlan,
        of group: GroupState
    ) throws(StorageError) -> SayingOrder.Next? {
        let left = order.left
        if left.count <= 1, unnamed.isEmpty { return left.first }
        let inPlace = left.filter { $0.isInPlace(among: left, plan.before.restatements) }
        while true {
            try noteShown(again: plan, of: group)
            for next in inPlace where try isFree(next, after: order.said, group) { return next }
            // Batches of others may wait for the name of one that was said under another one.
            let named = unnamed.takeAll()
            // Two that name each other are no work of an honest device; then any order does.
            if named.isEmpty { return inPlace.first ?? left.first }
            for batches in named { try nameAgain(batches) }
        }
    }

    /// Returns true when all shows on which a batch builds, or shows together with it.
    private func isFree(
        _ next: SayingOrder.Next, after said: CommitNames, _ group: GroupState
    ) throws(StorageError) -> Bool {
        func isMet(
            _ body: BatchBody, in row: ChainRow, within names: CommitNames
        ) throws(StorageError) -> Bool {
            try chains.hidden.missing(
                body, in: row, within: names, scopeFilter, chains.index, store) == nil
        }
        if try isMet(next.body, in: next.row, within: said) { return true }
        let parts = try otherParts(of: next)
        guard !parts.isEmpty else { return false }
        var names = CommitNames(parts: OrderedSet(parts.map(\.name)), restated: said.restated)
        names.restated.insert(CommitNames.RestatedName(chain: next.row.key, seq: next.seq))
        guard try isMet(next.body, in: next.row, within: names) else { return false }
        for part in parts {
            let stored = try store.heldBatch(of: part.row, at: part.seq)
            guard let body = group.body(of: stored, in: part.row),
                try isMet(body, in: part.row, within: names)
            else { return false }
        }
        return true
    }

    /// Returns the parts of a batch's commit that do not show and are not said again.
    private func otherParts(of next: SayingOrder.Next) throws(StorageError) -> [HiddenPart] {
        guard let commit = next.commit else { return [] }
        var parts: [HiddenPart] = []
        for part in try store.parts(ofCommit: commit) {
            guard let row = chains.rows.values.first(where: { $0.index == part.chain }),
                row.applied < part.seq, part.seq <= row.stored,
                let id = try store.batchID(chain: row.index, seq: part.seq)
            else { continue }
            parts.append(HiddenPart(row: row, seq: part.seq, id: id))
        }
        return parts
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
    private func stamp(
        before seq: UInt64, of row: ChainRow
    ) throws(StorageError) -> Timestamp? {
        var seq = seq
        while seq > row.first {
            seq -= 1
            if let stamp = try stamp(at: seq, of: row) { return stamp }
        }
        return nil
    }

    /// Returns the time of the last batch before a place, or else of the first after it, of which
    /// it is known.
    func stamp(beside seq: UInt64, of row: ChainRow) throws(StorageError) -> Timestamp? {
        if let before = try stamp(before: seq, of: row) { return before }
        var seq = seq
        while seq < row.stored {
            seq += 1
            if let stamp = try stamp(at: seq, of: row) { return stamp }
        }
        return nil
    }

    private func stamp(at seq: UInt64, of row: ChainRow) throws(StorageError) -> Timestamp? {
        let stored = try store.heldBatch(of: row, at: seq)
        return group?.body(of: stored, in: row)?.stamp
    }

    /// Returns the batch that says one of an ended chain again.
    private mutating func saidAgain(
        _ row: ChainRow, _ seq: UInt64, _ plan: RestatingPlan, _ salvaged: SalvagedBatches
    ) throws(StorageError) -> BatchBody {
        let stored = try store.heldBatch(of: row, at: seq)
        if let lost = salvaged[row.key, seq] { return lost.body(schema.version) }
        guard var body = group?.body(of: stored, in: row) else {
            let place = plan.before.place(of: row.key, seq, in: row).restates
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
