import LinnetReplication

extension World {
    /// So many batches are replayed on every device.
    private static let batchesForAll = 2_000

    /// Has every device hold its rows against its log, or after a long run one of them, which the
    /// seed chooses: a replay takes all that was ever written.
    func checkRows() throws(Violation) {
        let isLong = inspector.catalogue.facts.count > Self.batchesForAll
        let chosen = Int(plan.seed % UInt64(devices.count))
        for device in devices where !isLong || device.index == chosen { try checkRows(device) }
    }

    /// Has a device hold every row against its log: where no bit of a row changed all are as they
    /// should be, and nowhere a second time otherwise.
    private func checkRows(_ device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, case .sqlite = device.backend else { return }
        var mayDiffer = inspector.views[device.index].past.hasRottenRows
        while let report = try deepCheck(device) {
            // Without a batch the log says less than is shown.
            if report.isClean || report.damagedBatches > 0 { return }
            guard mayDiffer else {
                throw Violation(
                    .referenceFold, "rows are not what the log says: \(report)",
                    devices: [device.index])
            }
            mayDiffer = false
        }
    }

    /// The report of a look at all rows; nil when the disk failed.
    private func deepCheck(
        _ device: SimulatedDevice
    ) throws(Violation) -> DeepCheckReport? {
        while device.isRunning {
            let step: (progress: DeepCheckProgress, effects: [Effect])?
            do throws(ReplicaError) {
                step = try device.replica?.deepCheck(operations: 2_000, at: device.moment(now))
            } catch {
                try crash(device, power: device.backend.isDown)
                return nil
            }
            guard let step else { return nil }
            try perform(step.effects, of: device)
            if let report = step.progress.report { return report }
        }
        return nil
    }
}
