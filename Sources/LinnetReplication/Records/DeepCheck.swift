import LinnetWire

/// What a look at every row found.
package struct DeepCheckReport: Equatable, Sendable {
    /// How many records were held against the log.
    package var records = 0
    /// Those whose rows were not what the log says, and are written anew.
    package var rebuilt: [RecordKey] = []
    /// Those of which something may be missing, since batches are damaged, too.
    package var incomplete: [RecordKey] = []
    /// Stored batches whose bytes are no longer those that were signed.
    package var damagedBatches = 0

    /// Whether nothing was wrong.
    package var isClean: Bool { rebuilt.isEmpty && incomplete.isEmpty && damagedBatches == 0 }
}

/// How far a look at every row is, in parts of the whole.
package struct DeepCheckProgress: Equatable, Sendable {
    /// Parts that are done.
    package let done: Int
    /// Parts in all.
    package let total: Int
    /// What was found, once all is done.
    package let report: DeepCheckReport?
}

/// A look at every row, which is held against what the log says, a run of records at a time: what
/// the log says of these is in memory meanwhile.
struct DeepCheck {
    /// The parts of one run, and those of them that reading the log takes.
    private static let (parts, logParts) = (1_000, 700)

    let recordsAtOnce: Int
    /// Batches and records there were at the beginning.
    private let batches: Int
    private let runs: Int
    /// Whether the replica goes on with it by itself, and from when, in uptime milliseconds.
    var due: Int64?
    var report = DeepCheckReport()
    /// How often everything had been folded anew when the run began.
    var refolds: UInt64 = 0
    var runsDone = 0
    /// The last record of the run before.
    var after: RecordKey?
    /// The last record of this run; nil when it goes to the end.
    var upTo: RecordKey?
    var fold: LogFold?
    var batchesRead = 0
    /// The records of the run, the last one first, once the log is read.
    var keys: [RecordKey]?
    var keysInRun = 0

    init(recordsAtOnce: Int, records: Int, batches: Int) {
        self.recordsAtOnce = recordsAtOnce
        self.batches = max(1, batches)
        runs = max(1, (records + recordsAtOnce - 1) / recordsAtOnce)
    }

    var progress: DeepCheckProgress {
        var done = runsDone * Self.parts
        done += min(batchesRead, batches) * Self.logParts / batches
        if let keys {
            let compared = keysInRun - keys.count
            done += compared * (Self.parts - Self.logParts) / max(1, keysInRun)
        }
        let total = max(runs, runsDone + 1) * Self.parts
        return DeepCheckProgress(done: min(done, total), total: total, report: nil)
    }

    /// The progress of one that has ended.
    var ended: DeepCheckProgress {
        let total = max(runs, runsDone) * Self.parts
        return DeepCheckProgress(done: total, total: total, report: report)
    }
}

/// What goes on beside the exchange to find out whether rows are what the log says.
struct RowInspection {
    /// The look at every row that is under way.
    var check: DeepCheck?
    /// How often everything was folded anew.
    var refolds: UInt64 = 0
    /// Devices that hold the same and show something else.
    var disputes: OrderedTable<DeviceID, Dispute> = OrderedTable()
}

/// Two devices that hold the same and show something else.
struct Dispute: Equatable {
    /// What both hold.
    let vector: Bytes32
    /// Whether this side held its rows against its log since.
    var isChecked = false
    /// Whether it was said that they still differ.
    var isTold = false
}
