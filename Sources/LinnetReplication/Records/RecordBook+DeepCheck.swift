import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordBook {
    /// The number of records in a run, where memory is plentiful and where it is not.
    private static var recordsAtOnce: (standard: Int, small: Int) { (65_536, 8_192) }

    /// Begins a check of every row against the log, beside everything else.
    mutating func beginDeepCheck(_ log: BatchLog) throws(StorageError) {
        if inspection.check == nil { try startDeepCheck(log) }
        inspection.check?.due = 0
    }

    mutating func startDeepCheck(_ log: BatchLog) throws(StorageError) {
        // A branch of which nothing is visible yet may end before it begins.
        let batches = log.chains.rows.values.reduce(0) { count, row in
            count + (row.applied < row.first ? 0 : Int(clamping: row.applied - row.first + 1))
        }
        let atOnce = Self.recordsAtOnce
        inspection.check = DeepCheck(
            recordsAtOnce: policy == .small ? atOnce.small : atOnce.standard,
            records: try log.store.recordCount(collection: nil), batches: batches)
    }

    /// Goes on with a check, makes rows anew that differ from the log, and notes damaged batches.
    /// The report comes with the last step.
    mutating func stepDeepCheck(
        _ operations: Int, _ log: BatchLog, _ turn: inout Turn, _ chains: inout ChainBook
    ) throws(StorageError) -> DeepCheckProgress {
        guard var check = inspection.check.take() else {
            return DeepCheckProgress(done: 1, total: 1, report: DeepCheckReport())
        }
        if check.fold == nil || check.refolds != inspection.refolds {
            try beginRun(of: &check, log)
        }
        guard var fold = check.fold.take() else { return check.ended }
        if check.keys == nil {
            check.batchesRead += try fold.run(
                log, operations: operations)
            if fold.isDone { try check.list(fold, log, &turn, &chains) }
        } else {
            // Records are compared as they are now.
            fold.extend(log)
            while !fold.isDone {
                _ = try fold.run(log, operations: .max)
            }
            try compare(&check, fold, records: max(1, operations / 8), log, &turn)
        }
        check.fold = fold
        if check.keys?.isEmpty == true, try !goOn(&check, log) {
            try RowCounting(rows: rows(log)).recount(&check.report, turn)
            return check.ended
        }
        defer { inspection.check = check }
        return check.progress
    }

    private mutating func beginRun(
        of check: inout DeepCheck, _ log: BatchLog
    ) throws(StorageError) {
        let last = check.after.map { RecordName(collection: $0.collection, id: $0.record) }
        let names = try log.store.recordNames(after: last, limit: check.recordsAtOnce)
        check.upTo = nil
        if names.count == check.recordsAtOnce, let last = names.last {
            check.upTo = RecordKey(collection: last.collection, record: last.id)
        }
        check.refolds = inspection.refolds
        check.fold = LogFold(
            log, .range(after: check.after, upTo: check.upTo), scopes: nil, policy)
        check.batchesRead = 0
        check.keys = nil
    }

    /// Goes over to the next run; false after the last one.
    private mutating func goOn(
        _ check: inout DeepCheck, _ log: BatchLog
    ) throws(StorageError) -> Bool {
        check.runsDone += 1
        guard let last = check.upTo else { return false }
        check.after = last
        try beginRun(of: &check, log)
        return true
    }

    private mutating func compare(
        _ check: inout DeepCheck, _ fold: LogFold, records: Int, _ log: BatchLog,
        _ turn: inout Turn
    ) throws(StorageError) {
        for _ in 0..<records {
            guard let key = check.keys?.popLast() else { return }
            check.report.records += 1
            try compare(key, &check.report, fold, log, &turn)
        }
    }

    private mutating func compare(
        _ key: RecordKey, _ report: inout DeepCheckReport, _ fold: LogFold, _ log: BatchLog,
        _ turn: inout Turn
    ) throws(StorageError) {
        // A collection that only another version of the schema knows is not shown, and the log
        // cannot tell what it should hold.
        guard log.schema.collection(id: key.collection) != nil else { return }
        let expected = try fold.state(of: key, log)
        var isDamaged = false
        let stored = try log.store.storedRecord(collection: key.collection, id: key.record) { _ in
            isDamaged = true
            return expected
        }
        if let stored, !isDamaged,
            try RowCounting(rows: rows(log)).noteLife(of: stored, in: key.collection, turn)
        {
            report.noteMiscounted(key.collection)
        }
        // A row may be behind as long as a fold is to write it.
        var shown = stored?.state
        let isDue = overlay.isDirty(key)
        if isDue { shown = overlay.held(key)?.whole(over: stored?.state) }
        let isRight = expected.isSame(
            as: shown ?? RecordState(collection: key.collection, record: key.record))
        if isRight, !isDamaged || isDue { return }
        // Without all batches the log says less than the row may.
        if !isDamaged, !fold.losses.isEmpty { return }
        try replaceRow(of: key, at: stored?.row, with: expected, isLatest: true, &turn)
        if fold.losses.isEmpty {
            report.rebuilt.append(key)
            turn.outbox.warn(.rowRebuilt(key))
        } else {
            report.incomplete.append(key)
            turn.outbox.warn(.rowIncomplete(key))
        }
    }
}

extension DeepCheck {
    /// Lists the records of the run that the log or a row names, once the log was read.
    fileprivate mutating func list(
        _ fold: LogFold, _ log: BatchLog, _ turn: inout Turn, _ chains: inout ChainBook
    ) throws(StorageError) {
        let last = after.map { RecordName(collection: $0.collection, id: $0.record) }
        let rows = try log.store.recordNames(after: last, limit: recordsAtOnce)
            .map { RecordKey(collection: $0.collection, record: $0.id) }
        let end = upTo
        var based: [RecordKey] = []
        try log.forEachBase(after: after, upTo: end) { (state) throws(StorageError) in
            based.append(RecordKey(state))
        }
        let listed = OrderedSet(
            fold.keys + based + rows.filter { key in end.map { key <= $0 } ?? true })
        keys = listed.elements.reversed()
        keysInRun = listed.count
        report.damagedBatches = max(report.damagedBatches, fold.losses.count)
        for loss in fold.losses {
            try chains.damaged.noteLoss(of: loss.stored, in: loss.row, &turn)
        }
    }
}

extension RecordState {
    /// Returns true when two states are the same when written.
    fileprivate func isSame(as other: RecordState) -> Bool {
        self == other || RecordRow.encode(self) == RecordRow.encode(other)
    }
}
