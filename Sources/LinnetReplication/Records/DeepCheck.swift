package import LinnetCRDT

/// The findings of a check of every row.
package struct DeepCheckReport: Equatable, Sendable {
    /// The number of records that were compared with the log.
    package var records = 0
    /// The records whose rows differed from the log, and are written anew.
    package var rebuilt: [RecordKey] = []
    /// The records of which something may be missing, since batches are damaged too.
    package var incomplete: [RecordKey] = []
    /// The number of stored batches whose bytes are no longer those that were signed.
    package var damagedBatches = 0
    /// The collections of which another number of records was kept than they have, ascending; it is
    /// right now.
    package var miscounted: [UInt32] = []

    /// True when nothing was wrong.
    package var isClean: Bool {
        rebuilt.isEmpty && incomplete.isEmpty && damagedBatches == 0 && miscounted.isEmpty
    }
}

/// The progress of a check of every row, in parts of the whole.
package struct DeepCheckProgress: Equatable, Sendable {
    /// The number of parts that are done.
    package let done: Int
    /// The number of parts in all.
    package let total: Int
    /// The findings; nil until all is done.
    package let report: DeepCheckReport?
}

/// A check of every row against the log, one run of records at a time, during which what the log
/// says of these records is in memory.
struct DeepCheck {
    /// The number of parts of one run, and of those among them that reading the log takes.
    private static let (parts, logParts) = (1_000, 700)

    let recordsAtOnce: Int
    /// The number of batches at the beginning, at least 1.
    private let batches: Int
    private let runs: Int
    /// The time from which the replica goes on with it by itself, in uptime milliseconds; nil when
    /// it does not.
    var due: Int64?
    var report = DeepCheckReport()
    /// The number of times that everything had been folded anew when the run began.
    var refolds: UInt64 = 0
    var runsDone = 0
    /// The last record of the run before.
    var after: RecordKey?
    /// The last record of this run; nil when it goes to the end.
    var upTo: RecordKey?
    var fold: LogFold?
    var batchesRead = 0
    /// The records of the run that are still to be compared, the last one first; nil until the log
    /// is read.
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

    /// The progress of a check that has ended.
    var ended: DeepCheckProgress {
        let total = max(runs, runsDone) * Self.parts
        return DeepCheckProgress(done: total, total: total, report: report)
    }
}
