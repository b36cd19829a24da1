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
        let doomed = catalogue.doomed()
        do {
            let store = replica.storeForReading
            let chains = try store.pendingChains()
            let counted = chains.reduce(0) { $0 + $1.totals.count }
            if counted != store.pendingTotals.count {
                throw Violation(
                    .boundedStorage,
                    "\(counted) batches wait and \(store.pendingTotals.count) are counted",
                    devices: [device])
            }
            for chain in chains {
                let waiting = try store.pending(
                    scope: chain.scope, device: chain.device, incarnation: chain.incarnation,
                    maxBytes: .max)
                for batch in waiting {
                    // What continues a lost batch waits for ever.
                    guard let number = catalogue.number(batch.id), !doomed.contains(number) else {
                        continue
                    }
                    throw Violation(
                        .boundedStorage,
                        "batch \(describe(number)) still waits after everything was exchanged",
                        devices: [device])
                }
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.boundedStorage, "what waits cannot be read: \(error)")
        }
    }

    private var branchBound: Int {
        catalogue.forkedRoots.isEmpty ? 0 : catalogue.facts.count
    }
}
