import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The machine of a replica's records: those at hand in front of their rows, the fold that writes
/// the rows, the indexes by which they are found, and the check of rows against the log.
struct RecordBook {
    var overlay: Overlay
    var indexes: IndexedFields
    /// The rows that were found damaged.
    let mender = RowMender()
    var inspection = RowInspection()
    var fold = RowFold()
    /// The rows that are written, for those who read the records of one moment.
    let watch = RowWatch()
    /// The branches that references to forked authors mean.
    var branches = BranchReader()
    /// The records that were set aside for their size and of which nobody was told.
    var setAside: [RecordKey] = []
    /// The commit that is merged over more than one call; nil most of the time.
    var staged: StagedCommit?
    /// The policy by which changed records are written into their rows.
    var policy = FoldPolicy.standard
    /// The orders in which records were moved lately.
    var lines = OrderLines()

    /// - Parameter seed: a number that keeps those who choose identifiers from choosing places in
    ///   memory.
    init(seed: UInt64, schema: Schema) {
        overlay = Overlay(seed: seed)
        indexes = IndexedFields(schema)
    }

    /// Finds records by the fields of another schema from now on, and forgets what is at hand.
    mutating func adopt(_ schema: Schema) {
        indexes = IndexedFields(schema)
        forget()
    }

    /// Forgets the records that are at hand; those that differ from their rows are lost.
    ///
    /// - Parameter keepsMoments: true when rows are as they were for whoever reads a moment.
    mutating func forget(keepsMoments: Bool = false) {
        overlay.removeAll()
        if !keepsMoments { watch.noteChange() }
        fold.writing = nil
        staged = nil
        lines.forget()
    }

    /// Forgets what is at hand, as is needed after a transaction that was rolled back. Rows are
    /// then as they were before it, so that whoever reads an earlier moment goes on.
    mutating func reset() {
        forget(keepsMoments: true)
        fold = RowFold()
        branches = BranchReader()
        setAside = []
        inspection.refolds += 1
    }

    /// Forgets every record, to make all anew from the batches; of those that are gone it takes
    /// what they came to.
    mutating func beginAnew(_ log: BatchLog, _ turn: inout Turn) throws(StorageError) {
        try turn.writingDerived()
        try turn.store.removeAllRecords()
        watch.noteChange()
        reset()
        guard log.hasBase else { return }
        try log.forEachBase(after: nil, upTo: nil) { (state) throws(StorageError) in
            let row = try log.store.putRecord(state, row: nil)
            try indexes.put(state, row: row, log)
        }
    }

    /// Merges again the visible batches that may be missing in the rows, which are those after the
    /// marks, each after those that it builds on. Notes damaged ones.
    ///
    /// - Parameters:
    ///   - isOpening: true when rows may be written on the way, for want of memory.
    ///   - clock: the clock that observes what is merged.
    ///   - now: the time; nil when the clock observes nothing, and nobody hears of it.
    /// - Returns: the clock afterwards.
    @discardableResult
    mutating func replay(
        _ log: BatchLog, _ turn: inout Turn, _ chains: inout ChainBook, isOpening: Bool,
        _ clock: HybridLogicalClock = HybridLogicalClock(), at now: Moment? = nil
    ) throws(StorageError) -> HybridLogicalClock {
        var clock = clock
        let rows = chains.rows.values
        var replay = LogReplay(rows) { $0.folded + 1 }
        while let step = try replay.next(log) {
            if let body = step.body {
                let damaged = chains.damaged
                try merge(body, of: step.stored, in: step.row, log, &turn, &clock, at: now) {
                    damaged.contains($1, of: $0)
                }
                fold.work += body.operations.count + policy.batchWork
                if isOpening { try makeRoom(log, &turn) }
            } else {
                try chains.damaged.noteLoss(of: step.stored, in: step.row, &turn)
            }
        }
        // Nobody hears of what was merged before.
        if now == nil { overlay.beginCall() }
        return clock
    }
}
