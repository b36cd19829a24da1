import LinnetControl
import LinnetReplication
import LinnetSystem
import LinnetWire

/// The result of a look at every record.
public struct RecordCheck: Equatable, Sendable {
    /// The number of records that were compared with their changes.
    public let records: Int
    /// The records that were not what their changes say, as `collection/identifier`; they are made
    /// anew.
    public let rebuilt: [String]
    /// The records of which changes are damaged, too, as `collection/identifier`: something may be
    /// missing.
    public let incomplete: [String]
    /// The number of stored batches of changes whose bytes were damaged on the disk.
    public let damagedBatches: Int
    /// The collections of which another number of records was kept than they have; it is right now.
    public let miscounted: [String]
}

extension Node {
    /// The changes that are read in one step, between which the node does everything else.
    private static var operationsAtOnce: Int { 16_384 }

    /// Compares every record with the changes that made it, and makes those anew that differ.
    ///
    /// Reads all that is stored, in steps; writes and sessions go on in between.
    ///
    /// - Parameter progress: learns how much is done, from 0 to 1.
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

    /// Compares every record with its changes for `doctor`; records that differ are made anew.
    func recordFinding() async throws(LinnetError) -> HealthFinding {
        guard unwritable == nil else {
            return HealthFinding(
                "records", .unchecked,
                "records are not held against their changes where nothing can be written")
        }
        let check = try await checkRecords()
        let (rebuilt, incomplete) = (check.rebuilt, check.incomplete)
        // A record that the finding calls made anew, now or before, must stand on the disk.
        try writeRows()
        guard incomplete.isEmpty else {
            return HealthFinding(
                "records", .broken,
                "of \(Plural.of(check.records, "record")) these were damaged, and changes of them,"
                    + " too, so that something may be missing: \(Self.named(incomplete))",
                remedy: "Connect to a device that has the changes.")
        }
        guard rebuilt.isEmpty else {
            return HealthFinding(
                "records", .warning,
                "of \(Plural.of(check.records, "record")) these were not what their changes say,"
                    + " and were made anew: \(Self.named(rebuilt))",
                remedy: "A disk that damages one record may damage others: keep a backup of the"
                    + " home elsewhere.")
        }
        guard check.miscounted.isEmpty else {
            return HealthFinding(
                "records", .warning,
                "the number of records that was kept of these collections was wrong, and is right"
                    + " now: \(Self.named(check.miscounted))",
                remedy: "A disk that damages a number may damage records: keep a backup of the home"
                    + " elsewhere.")
        }
        return HealthFinding(
            "records", .good,
            check.records == 1
                ? "the one record is what its changes say"
                : "\(check.records) records match their changes")
    }

    private func writeRows() throws(LinnetError) {
        do throws(ReplicaError) {
            try replica?.foldEverything()
        } catch {
            throw failed(error)
        }
    }

    /// Returns the first of some names, and the number of the others.
    private static func named(_ names: [String]) -> String {
        let shown = names.prefix(8).joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
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
            incomplete: report.incomplete.map(place), damagedBatches: report.damagedBatches,
            miscounted: report.miscounted.map { number in
                schema.collection(id: number)?.name ?? "\(number)"
            })
    }
}
