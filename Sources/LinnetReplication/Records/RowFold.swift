import LinnetCRDT

/// When changed records are written into their rows, and how many at a time.
package struct FoldPolicy: Equatable, Sendable {
    /// A fold begins when replaying what came since the last one would take this much work: one
    /// for each operation and `batchWork` for each batch.
    package var work: Int
    /// What opening a batch again costs, in operations.
    package var batchWork = 24
    /// A fold begins, too, when the changed records take this much memory, in bytes.
    package var dirtyBytes: Int
    /// Records that equal their rows and stay at hand, in bytes.
    package var cleanBytes: Int
    /// Rows that a transaction writes for each unit of its own work while a fold runs.
    package var rowsForWork: Int
    /// Rows that a transaction writes at least while a fold runs.
    package var rowsAtLeast: Int
    /// How long after the last change an idle replica begins a fold, in milliseconds.
    package var idleMilliseconds: Int64 = 1_000
    /// How long an idle replica waits between two parts of a fold, in milliseconds.
    package var pauseMilliseconds: Int64 = 20

    /// A policy of one's own, for simulations.
    package init(work: Int, dirtyBytes: Int, cleanBytes: Int, rowsForWork: Int, rowsAtLeast: Int) {
        self.work = work
        self.dirtyBytes = dirtyBytes
        self.cleanBytes = cleanBytes
        self.rowsForWork = rowsForWork
        self.rowsAtLeast = rowsAtLeast
    }

    /// What most devices use.
    package static let standard = FoldPolicy(
        work: 40_000, dirtyBytes: 14 << 20, cleanBytes: 12 << 20, rowsForWork: 4, rowsAtLeast: 64)
    /// What devices with little memory use.
    package static let small = FoldPolicy(
        work: 12_500, dirtyBytes: 3 << 20, cleanBytes: 2 << 20, rowsForWork: 4, rowsAtLeast: 64)
}

/// How far records are written into their rows.
struct RowFold {
    /// A sequence for each chain.
    typealias Marks = [(key: ChainKey, seq: UInt64)]

    /// The work that a replay would be since the last fold ended.
    var work = 0
    /// The same since the running fold began.
    var workSinceBegin = 0
    /// How far each chain's batches will be in the rows once the running fold ends; nil when none
    /// runs.
    var marks: Marks?
    /// When an idle replica folds, in uptime milliseconds.
    var due: Int64?

    /// Whether an end of the process would leave something to replay.
    var isBehind: Bool { work > 0 }
}
