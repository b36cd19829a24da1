import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The reading of visible batches again, each after those that it builds on.
struct LogReplay {
    /// A batch that is read again.
    struct Step {
        let row: ChainRow
        let stored: BatchRow
        /// Its content; nil when its bytes were damaged since.
        let body: BatchBody?
    }

    /// A batch that has to be read before another one.
    private struct Place {
        let key: ChainKey
        let seq: UInt64
    }

    /// The next sequence number of each chain that has one.
    private var next: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The last sequence number of each chain that is read.
    private var ends: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The batches for which chains wait.
    private var waiting: OrderedTable<ChainKey, Place> = OrderedTable()
    /// Opened batches that wait for others.
    private var opened = OpenedBatches()
    private var current: ChainKey?

    /// Begins to read the visible batches of some chains, each from `first` on.
    init(_ rows: [ChainRow], from first: (ChainRow) -> UInt64) {
        for row in rows where first(row) <= row.applied {
            next[row.key] = first(row)
            ends[row.key] = row.applied
        }
    }

    /// True when nothing is left to read.
    var isDone: Bool { next.isEmpty }

    /// Extends the reading to batches that became visible meanwhile in some chains; a new chain is
    /// read from its beginning.
    mutating func extend(to rows: [ChainRow]) {
        for row in rows where ends[row.key] ?? row.start < row.applied {
            if next[row.key] == nil { next[row.key] = (ends[row.key] ?? row.start) + 1 }
            ends[row.key] = row.applied
        }
    }

    /// Returns the next batch that has an effect; nil when there is none.
    mutating func next(_ log: BatchLog) throws(StorageError) -> Step? {
        while !next.isEmpty {
            let keys = next.keys
            let begin = current.map { next.lowerBound(of: $0) } ?? 0
            for offset in keys.indices {
                let key = keys[(begin + offset) % keys.count]
                guard let step = try take(key, log, forced: false) else { continue }
                current = key
                return step
            }
            // Parts of one commit may build on one another; they became visible together.
            if let key = next.first?.key, let step = try take(key, log, forced: true) {
                return step
            }
        }
        return nil
    }

    /// Returns the next batch of a chain that has an effect; nil when it has to wait, or there is
    /// none.
    private mutating func take(
        _ key: ChainKey, _ log: BatchLog, forced: Bool
    ) throws(StorageError) -> Step? {
        while let seq = next[key], let row = log.chains.rows[key] {
            if !forced, let place = waiting[key], !isRead(place) { return nil }
            let step = try step(log, row, seq)
            if let step, let body = step.body, !forced,
                let place = unread(body, in: row, log)
            {
                waiting[key] = place
                opened.keep(body, of: step.stored.id)
                return nil
            }
            waiting[key] = nil
            if let step { opened.forget(step.stored.id) }
            next[key] = seq < ends[key] ?? 0 ? seq + 1 : nil
            if let step { return step }
        }
        next[key] = nil
        return nil
    }

    /// Reads a batch; nil when it has no effect.
    private func step(
        _ log: BatchLog, _ row: ChainRow, _ seq: UInt64
    ) throws(StorageError) -> Step? {
        guard log.group?.counted.counts(seq, of: row) ?? true else { return nil }
        let stored = try log.store.heldBatch(of: row, at: seq)
        if let body = opened[stored.id] ?? log.group?.body(of: stored, in: row) {
            return Step(row: row, stored: stored, body: body)
        }
        let batch = SealedBatch(stored, in: row, of: log.group?.log.group)
        return batch.isIntact ? nil : Step(row: row, stored: stored, body: nil)
    }

    /// Returns a batch that is read before this one; nil where none is left.
    private func unread(_ body: BatchBody, in row: ChainRow, _ log: BatchLog) -> Place? {
        guard body.restates?.origin != nil else {
            return unread(body.attributes, log) ?? unread(before: body, in: row, log)
        }
        if case .restated(let old, let seq)? = log.chains.earlier(of: body, in: row),
            let place = unread(saying: old, seq, log)
        {
            return place
        }
        for scope in body.attributes.dependencies {
            for head in scope.heads {
                let name = body.attributes.authors[head.author]
                let old = ChainKey(scope: scope.scope, chain: name)
                if let place = unread(saying: old, head.seq, log) { return place }
            }
        }
        return unread(before: body, in: row, log)
    }

    /// Returns the batch that says one of another group again, where it is still to be read.
    private func unread(saying old: ChainKey, _ seq: UInt64, _ log: BatchLog) -> Place? {
        guard let first = log.chains.restatements.first(of: old, at: seq) else { return nil }
        let place = Place(key: first.chain, seq: first.seq)
        return isRead(place) ? nil : place
    }

    /// Returns the batch of an ended life that is read before one that says a batch of it again, or
    /// the one by which the batch before that one counts.
    private func unread(before body: BatchBody, in row: ChainRow, _ log: BatchLog) -> Place? {
        guard let restates = body.restates else { return nil }
        let key = row.ended(by: restates)
        let applied = log.chains[key]?.applied ?? 0
        let place = Place(key: key, seq: min(restates.seq, applied))
        if !isRead(place) { return place }
        guard restates.seq > applied + 1 else { return nil }
        return unread(saying: key, restates.seq - 1, log)
    }

    private func isRead(_ place: Place) -> Bool { next[place.key].map { $0 > place.seq } ?? true }

    /// Returns the first batch on which a batch builds and that was not read before it; where a
    /// batch does not show by itself, the one that says it again.
    private func unread(_ attributes: BatchAttributes, _ log: BatchLog) -> Place? {
        for scope in attributes.dependencies {
            for head in scope.heads {
                let name = attributes.authors[head.author]
                let rows = log.chains.family(named: name, scope: scope.scope)
                    .filter { $0.applied >= head.seq }
                for row in rows {
                    let place = Place(key: row.key, seq: head.seq)
                    if !isRead(place) { return place }
                }
                let old = ChainKey(scope: scope.scope, chain: name)
                if rows.isEmpty, let place = unread(saying: old, head.seq, log) { return place }
            }
        }
        return nil
    }
}
