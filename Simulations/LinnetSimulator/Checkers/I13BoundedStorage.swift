import LinnetReplication
import LinnetStorage
import LinnetWire

/// I13: what waits stays within its limits, and the vector within the number of authors.
extension Inspector {
    func checkBounds(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        let pending = replica.storeForReading.pendingTotals
        if pending.bytes > Limits.pendingBytes || pending.count > Limits.pendingBatchesPerChain * 64
        {
            throw Violation(
                .boundedStorage, "\(pending.count) batches wait, \(pending.bytes) bytes",
                devices: [device])
        }
        let chains = views[device].rows.count
        let bound = catalogue.chainCount + branchBound
        if chains > bound {
            throw Violation(
                .boundedStorage, "\(chains) chains are kept for \(bound) authors and branches",
                devices: [device])
        }
    }

    /// After convergence nothing waits.
    func checkNothingWaits(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        let pending = replica.storeForReading.pendingTotals.count
        guard pending > 0 else { return }
        throw Violation(
            .boundedStorage, "\(pending) batches still wait after everything was exchanged",
            devices: [device])
    }

    private var branchBound: Int {
        catalogue.forkedRoots.isEmpty ? 0 : catalogue.facts.count
    }
}
