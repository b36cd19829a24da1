import LinnetReplication
import LinnetStorage
import LinnetWire

/// I5: what was acknowledged as durable is never lost while any holder survives.
extension Inspector {
    /// Notes what a commit gave its writer.
    func acknowledge(_ commit: CommitID, durable: Bool, _ device: Int) {
        for number in catalogue.parts(of: commit) where views[device].held.contains(number) {
            if durable {
                views[device].acknowledged.append(number)
            } else {
                views[device].relaxed.append(number)
            }
        }
    }

    /// A flush made everything before it durable.
    func acknowledgeRelaxed(_ device: Int) {
        views[device].acknowledged += views[device].relaxed
        views[device].relaxed = []
        views[device].unsynced = []
    }

    /// Notes a batch that was stored just now, which the store may still lose: then the replica
    /// must not count on it.
    func noteUnsynced(
        _ number: Int, _ device: Int, _ replica: borrowing Replica
    ) throws(Violation) {
        guard replica.storeForReading.isUnflushed else { return }
        views[device].unsynced.append(number)
        guard !replica.hasRelaxedWrites else { return }
        throw Violation(
            .acknowledgedWritesSurvive,
            "batch \(describe(number)) counts as durable before it is synced", devices: [device])
    }

    /// After a restart or a rename: whatever was there is there, unless the disk went back in time.
    func checkLosses(_ device: Int, before: DeviceView) throws(Violation) {
        let lost = before.held.subtracting(views[device].held)
        let allowed = before.mayHaveLost || views[device].hasRotted
        for number in lost where !allowed {
            let isRelaxed = before.relaxed.contains(number) || before.unsynced.contains(number)
            guard !before.lostPower || !isRelaxed else { continue }
            throw Violation(
                .acknowledgedWritesSurvive,
                "batch \(describe(number)) is gone from a device that held it", devices: [device])
        }
        for number in lost where !views.contains(where: { $0.held.contains(number) }) {
            catalogue.markLost(number)
        }
        views[device].relaxed.removeAll { lost.contains($0) }
        views[device].unsynced.removeAll { lost.contains($0) }
    }

    /// At the end: everything acknowledged that had a surviving holder shows everywhere.
    func checkAcknowledged() throws(Violation) {
        let doomed = catalogue.doomed()
        for view in views {
            for number in view.acknowledged where !doomed.contains(number) {
                for (device, other) in views.enumerated() where !other.applied.contains(number) {
                    throw Violation(
                        .acknowledgedWritesSurvive,
                        "acknowledged batch \(describe(number)) does not show on a device",
                        devices: [device])
                }
            }
        }
    }
}
