import LinnetReplication

extension World {
    /// Has a device fold a little of what everybody holds, now and then.
    func compactSometimes(_ device: SimulatedDevice, salt: UInt64) throws(Violation) {
        guard plan.compacts, salt.isMultiple(of: 3), device.isRunning, device.isMember else {
            return
        }
        let effects: [Effect]
        do throws(ReplicaError) {
            let operations = salt.isMultiple(of: 2) ? 1 : 200
            guard
                let (progress, told) = try device.replica?.compact(
                    operations: operations, at: device.moment(now))
            else { return }
            effects = told
            if progress.batches > 0 { coverage.reached(.batchesFolded) }
        } catch {
            // A disk that fails ends the process; the next one tries again.
            return try crash(device, power: device.backend.isDown)
        }
        try perform(effects, of: device)
    }
}
