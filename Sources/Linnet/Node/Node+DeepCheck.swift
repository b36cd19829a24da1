import LinnetReplication

/// What a look at every record found.
public struct RecordCheck: Equatable, Sendable {
    /// How many records were held against their changes.
    public let records: Int
    /// Records that were not what their changes say, as `collection/identifier`; they are made
    /// anew.
    public let rebuilt: [String]
    /// The same, where changes are damaged, too: something may be missing.
    public let incomplete: [String]
    /// Stored batches of changes whose bytes were damaged on the disk.
    public let damagedBatches: Int
}

extension Node {
    /// Changes that are read in one step, between which the node does everything else.
    private static var operationsAtOnce: Int { 16_384 }

    /// Holds every record against the changes that made it, and makes those anew that differ.
    ///
    /// Reads all that is stored, in steps; writes and sessions go on in between.
    ///
    /// - Parameter progress: is told how much is done, from 0 to 1.
    public func checkRecords(
        _ progress: @Sendable (Double) -> Void = { _ in }
    ) async throws(LinnetError) -> RecordCheck {
        while true {
            let step = try checkStep()
            progress(Double(step.done) / Double(max(1, step.total)))
            if let report = step.report { return described(report) }
            await Task.yield()
        }
    }

    private func checkStep() throws(LinnetError) -> DeepCheckProgress {
        try running()
        do {
            guard
                let (progress, effects) = try replica?.deepCheck(
                    operations: Self.operationsAtOnce, at: SystemClock.now())
            else { throw LinnetError.stopped }
            perform(effects)
            return progress
        } catch let error as ReplicaError {
            throw failed(error)
        } catch {
            throw .stopped
        }
    }

    private func described(_ report: DeepCheckReport) -> RecordCheck {
        let place = { (key: RecordKey) in "\(self.name(of: key))/\(key.record)" }
        return RecordCheck(
            records: report.records, rebuilt: report.rebuilt.map(place),
            incomplete: report.incomplete.map(place), damagedBatches: report.damagedBatches)
    }
}
