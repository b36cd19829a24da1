import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The records of a replica: those at hand in front of their rows, the fold that writes the rows,
/// the indexes by which they are found, and the check of rows against the log.
struct RecordBook {
    var overlay: Overlay
    var indexes: IndexedFields
    /// Rows that were found not to be what the log says.
    let mender = RowMender()
    var inspection = RowInspection()
    var fold = RowFold()
    /// The branches of forked authors that others mean.
    var branches = BranchReader()
    /// When changed records are written into their rows.
    var policy = FoldPolicy.standard

    /// - Parameter seed: keeps those who choose identifiers from choosing places in memory.
    init(seed: UInt64, schema: LinnetCRDT.Schema) {
        overlay = Overlay(seed: seed)
        indexes = IndexedFields(schema)
    }

    /// Finds records by the fields of another schema; nothing is at hand of the one before.
    mutating func adopt(_ schema: LinnetCRDT.Schema) {
        indexes = IndexedFields(schema)
        overlay.removeAll()
    }

    /// Forgets what is at hand, as after a transaction that was taken back.
    mutating func reset() {
        overlay.removeAll()
        fold = RowFold()
        branches = BranchReader()
        inspection.refolds += 1
    }

    /// Forgets every record, to make all anew from the batches.
    mutating func removeAll(_ turn: inout Turn) throws(StorageError) {
        try turn.writingDerived()
        try turn.store.removeAllRecords()
        reset()
    }

    /// Merges again what was visible and may be missing in the rows: batches after the marks, each
    /// after those that it builds on. Damaged ones are noted.
    mutating func replay(
        _ log: BatchLog, _ turn: inout Turn, _ chains: inout ChainBook
    ) throws(StorageError) {
        var clock = HybridLogicalClock()
        var replay = LogReplay(log.chains.rows.values) { $0.folded + 1 }
        while let step = try replay.next(log) {
            if let body = step.body {
                try merge(body, of: step.stored, in: step.row, log, &turn, &clock, at: nil)
                fold.work += body.operations.count + policy.batchWork
            } else {
                try chains.noteLoss(of: step.stored, in: step.row, &turn)
            }
        }
        // Nobody hears of what was merged again.
        overlay.beginCall()
    }
}
