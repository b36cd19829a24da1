import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Batches are the truth; rows let a reader find records without replaying them. A fold writes the
/// records that changed, in key order and a few for each transaction, and then moves the mark of
/// each chain up to where the chain was visible when the fold began. Rows may be ahead of the mark,
/// since merging a batch twice changes nothing.
extension RecordBook {
    /// Counts operations that were merged, and writes some rows when it is time; inside a
    /// transaction.
    ///
    /// Returns the mark of each chain when a fold has ended, here and below, and none before.
    ///
    /// A large row, whose writing takes as long as merging thousands of operations, is left to the
    /// calls that follow.
    mutating func foldRows(
        after operations: Int, _ log: BatchLog
    ) throws(StorageError) -> RowFold.Marks {
        let work = operations + policy.batchWork
        fold.work += work
        fold.workSinceBegin += work
        guard staged == nil, !isHeld else { return [] }
        if fold.marks == nil {
            guard fold.work >= policy.work || overlay.dirtyWeight > policy.dirtyBytes
            else { return [] }
            beginFold(log)
        }
        // Memory comes before time.
        let isFull = overlay.dirtyWeight > policy.dirtyBytes
        let marks = try writeRows(
            max(policy.rowsAtLeast, work * policy.rowsForWork), large: isFull ? .max : 0, log)
        // One transaction may make a long backlog visible.
        overlay.trim(to: policy.cleanBytes)
        return marks
    }

    /// True while rows stay as they are for somebody who reads the records of one moment: until the
    /// changed records take more memory than a fold lets them, or twice the work is left that makes
    /// one begin.
    var isHeld: Bool {
        watch.isHeld && overlay.dirtyWeight <= policy.dirtyBytes
            && fold.work < 2 * policy.work
    }

    /// Writes the rows of records that were merged again when they take more memory than a fold
    /// lets them; the marks stay, since more is to be merged.
    mutating func makeRoom(_ log: BatchLog, _ turn: inout Turn) throws(StorageError) {
        guard overlay.dirtyWeight > policy.dirtyBytes else { return }
        try turn.writingDerived()
        overlay.beginFold()
        _ = try writeRows(.max, log)
        overlay.trim(to: policy.cleanBytes)
    }

    /// Writes all rows that are behind; inside a transaction.
    mutating func foldAllRows(_ log: BatchLog) throws(StorageError) -> RowFold.Marks {
        staged = nil
        var marks: RowFold.Marks = []
        while fold.isBehind || overlay.dirtyCount > 0 {
            if fold.marks == nil { beginFold(log) }
            marks = try writeRows(.max, log)
        }
        return marks
    }

    private mutating func beginFold(_ log: BatchLog) {
        fold.marks = log.chains.rows.map { (key: $0.key, seq: $0.value.applied) }
        fold.workSinceBegin = 0
        overlay.beginFold()
    }

    /// Goes on with the large row that a call before put off, by so many runs of its text; nil when
    /// there is none.
    mutating func writeLargeRow(
        runs: Int, _ log: BatchLog
    ) throws(StorageError) -> RowFold.Marks? {
        guard fold.isPutOff, staged == nil else { return nil }
        if fold.writing == nil, let due = overlay.due, due.held.isWhole,
            !policy.isExceeded(by: due.held.state), let row = RecordWriting(due.held.state)
        {
            fold.writing = (row, overlay.call)
        }
        guard var writing = fold.writing.take(), let due = overlay.due,
            RecordKey(due.held.state) == RecordKey(writing.row.state)
        else { return try writeRows(1, log) }
        guard writing.row.goOn(runs) else {
            fold.writing = writing
            return []
        }
        let state = writing.row.state
        try watch.keepRow(of: RecordKey(state), isNew: due.row == nil, rows(log))
        let written = try log.store.putRecord(
            state, row: due.row, content: writing.row.bytes)
        try indexes.put(state, row: written, log)
        overlay.wroteDue(asIn: writing.since, row: written)
        return try writeRows(0, log)
    }

    private mutating func writeRows(
        _ limit: Int, large: Int = .max, _ log: BatchLog
    ) throws(StorageError) -> RowFold.Marks {
        var (written, largeWritten) = (0, 0)
        fold.isPutOff = false
        if limit == 0 { fold.isPutOff = overlay.nextDueWeight >= RowFold.largeRecord }
        while written < limit, overlay.dueCount > 0 {
            let isLarge = overlay.nextDueWeight >= RowFold.largeRecord
            fold.isPutOff = isLarge && large == 0
            guard !isLarge || largeWritten < large, let next = overlay.nextDue() else { break }
            fold.writing = nil
            try write(next.held, at: next.slot, row: next.row, log)
            written += 1
            if isLarge { largeWritten += 1 }
        }
        guard overlay.isFoldDone, let marks = fold.marks else { return [] }
        fold.marks = nil
        fold.work = fold.workSinceBegin
        return marks
    }

    private mutating func write(
        _ held: Overlay.Held, at slot: Int, row: Int64?, _ log: BatchLog
    ) throws(StorageError) {
        let stored = held.isWhole ? nil : try rows(log).record(RecordKey(held.state))
        var state = held.whole(over: stored?.state)
        let isSetAside = policy.setAside(&state)
        if isSetAside {
            setAside.append(RecordKey(state))
            lines.note(RecordKey(state))
        }
        try watch.keepRow(
            of: RecordKey(state), isNew: held.isWhole && row == nil, rows(log))
        let written = try log.store.putRecord(state, row: stored?.row ?? row)
        try indexes.put(state, row: written, log)
        overlay.wrote(slot, state, row: written, isSetAside: isSetAside)
    }

    /// Ends a transaction's work on records: lets go of some, and puts off an idle fold, which
    /// goes on sooner after some rows were written.
    mutating func tidy(at now: Moment, afterRows: Bool = false) {
        overlay.trim(to: policy.cleanBytes)
        let pause = afterRows ? policy.pauseMilliseconds : policy.idleMilliseconds
        fold.due = fold.isBehind ? now.uptimeMilliseconds + pause : nil
    }

    /// Writes some rows while nothing else happens; inside a transaction of its own.
    mutating func foldSomeRows(
        runs: Int, _ log: BatchLog
    ) throws(StorageError) -> RowFold.Marks {
        guard staged == nil else { return [] }
        if let marks = try writeLargeRow(runs: runs, log) { return marks }
        if fold.marks == nil { beginFold(log) }
        return try writeRows(8 * policy.rowsAtLeast, large: 0, log)
    }
}
