import LinnetCRDT

/// The policy for when changed records are written into their rows, and how many at a time.
package struct FoldPolicy: Equatable, Sendable {
    /// The work at which a fold begins: what it would take to replay all that came since the last
    /// one, counting one for each operation and `batchWork` for each batch.
    package var work: Int
    /// The cost of opening a batch again, in operations.
    package var batchWork = 24
    /// The memory of changed records at which a fold begins too, in bytes.
    package var dirtyBytes: Int
    /// The memory of records that equal their rows and stay at hand, in bytes.
    package var cleanBytes: Int
    /// The number of rows that a transaction writes for each unit of its own work while a fold
    /// runs.
    package var rowsForWork: Int
    /// The least number of rows that a transaction writes while a fold runs.
    package var rowsAtLeast: Int
    /// The time after the last change at which an idle replica begins a fold, in milliseconds.
    package var idleMilliseconds: Int64 = 1_000
    /// The time that an idle replica waits between two parts of a fold, in milliseconds.
    package var pauseMilliseconds: Int64 = 20
    /// The largest row that is written, in bytes; a record whose row would be larger is set aside.
    /// The store takes none of 64 MiB.
    package var largestRow = 8 << 20
    /// The most memory that one record takes, in bytes, approximately; one that takes more is set
    /// aside too, since the row of a text is much smaller than its state.
    package var largestRecord = 24 << 20
    /// The number of bytes after whose merging a record is measured again.
    package var growthMeasured = 256 << 10

    /// Makes another policy, for simulations.
    package init(work: Int, dirtyBytes: Int, cleanBytes: Int, rowsForWork: Int, rowsAtLeast: Int) {
        self.work = work
        self.dirtyBytes = dirtyBytes
        self.cleanBytes = cleanBytes
        self.rowsForWork = rowsForWork
        self.rowsAtLeast = rowsAtLeast
    }

    /// Lets go of the contents of a record that is too large to be held; true when it did.
    func setAside(_ state: inout RecordState) -> Bool {
        state.setAside(beyond: state.footprint > largestRecord ? 0 : largestRow)
    }

    /// True for a record that is set aside instead of being written.
    func isExceeded(by state: RecordState) -> Bool {
        var state = state
        return setAside(&state)
    }

    /// The policy for what this device writes itself: there is room left for what grows before a
    /// record is measured again, so that a write that was taken is never set aside for it alone.
    var forOwnWrites: FoldPolicy {
        var policy = self
        policy.largestRow -= 2 * growthMeasured
        policy.largestRecord -= 2 * growthMeasured
        return policy
    }

    /// The policy of most devices.
    package static let standard = FoldPolicy(
        work: 40_000, dirtyBytes: 14 << 20, cleanBytes: 12 << 20, rowsForWork: 4, rowsAtLeast: 64)
    /// The policy of devices with little memory.
    package static let small = FoldPolicy(
        work: 12_500, dirtyBytes: 3 << 20, cleanBytes: 2 << 20, rowsForWork: 4, rowsAtLeast: 64)
}

/// The state of writing records into their rows.
struct RowFold {
    /// A sequence number for each chain.
    typealias Marks = [(key: ChainKey, seq: UInt64)]

    /// The memory of a record from which a call writes the row of one such at most, in bytes.
    static let largeRecord = 1 << 20

    /// The work of a replay of all that came since the last fold ended.
    var work = 0
    /// True when the next row is large and was left to the next call.
    var isPutOff = false
    /// The large row that is being written, and the call of the overlay in which that began.
    var writing: (row: RecordWriting, since: UInt64)?
    /// The work of a replay of all that came since the running fold began.
    var workSinceBegin = 0
    /// The last batch of each chain that the rows will hold once the running fold ends; nil when
    /// none runs.
    var marks: Marks?
    /// The time at which an idle replica folds, in uptime milliseconds.
    var due: Int64?

    /// True when the end of the process would leave something to replay.
    var isBehind: Bool { work > 0 }
}
