import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The waiting batches stay within their limits, and the vector within the number of authors.
final class BoundedStorage: Checker {
    let invariant = Invariant.boundedStorage
    let sights: [Sight.Kind] = [.stepped, .whole, .waiting]
    private let known: Knowledge
    private var doomed: FactSet?

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .stepped(let step): try check(step.pending, step.device)
        case .whole(let whole): try check(whole.pending, whole.device)
        case .waiting(let device, let batches, let counted):
            try checkNothingWaits(batches, counted: counted, device)
        default: break
        }
    }

    private func check(_ pending: Totals, _ device: Int) throws(Violation) {
        if pending.bytes > Limits.pendingBytes || pending.count > Limits.pendingBatchesPerChain * 64
        {
            throw violation("\(pending.count) batches wait, \(pending.bytes) bytes", on: device)
        }
        let catalogue = known.catalogue
        let chains = known.views[device].rows.count
        var bound = catalogue.chainCount
        if chains > bound, !catalogue.forkedRoots.isEmpty { bound += catalogue.facts.count }
        if chains > bound {
            throw violation(
                "\(chains) chains are kept for \(bound) authors and branches", on: device)
        }
    }

    /// After convergence nothing waits, but for what continues a lost batch.
    private func checkNothingWaits(
        _ batches: [BatchID], counted: Int, _ device: Int
    ) throws(Violation) {
        if batches.count != counted {
            throw violation("\(batches.count) batches wait and \(counted) are counted", on: device)
        }
        guard !batches.isEmpty else { return }
        let doomed = self.doomed ?? known.catalogue.doomed()
        self.doomed = doomed
        for id in batches {
            guard let number = known.catalogue.number(id), !doomed.contains(number) else {
                continue
            }
            throw violation(
                "batch \(known.describe(number)) still waits after everything was exchanged",
                on: device)
        }
    }
}
