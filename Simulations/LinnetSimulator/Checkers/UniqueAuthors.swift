import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// An author has one history, unless its home went back in time or ran twice; then the fork is
/// raised and both histories are kept.
final class UniqueAuthors: Checker {
    let invariant = Invariant.uniqueAuthors
    let sights: [Sight.Kind] = [.learnt, .whole]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .learnt(let number, _): try checkUniqueness(number)
        case .whole(let whole): try checkForks(whole.device)
        default: break
        }
    }

    private func checkUniqueness(_ number: Int) throws(Violation) {
        guard !known.forksAllowed else { return }
        let facts = known.catalogue.facts
        let other = known.catalogue.facts(at: facts[number].root, facts[number].seq).first {
            $0 != number && !facts[$0].isLost
        }
        guard let other else { return }
        throw violation(
            "batches \(known.describe(other)) and \(known.describe(number)) share author, scope "
                + "and number")
    }

    /// A device that holds two histories of an author has split its chain.
    private func checkForks(_ device: Int) throws(Violation) {
        let view = known.views[device]
        for root in known.catalogue.forkedRoots.sorted() {
            let trunk = view.rows.first { ChainKey(scope: $0.scope, chain: $0.chain) == root }
            guard let trunk else { continue }
            let branches = view.rows.count { ChainNames.root($0) == root }
            if branches > 1, trunk.forkedAt == nil {
                throw violation("a device holds two histories of an author unsplit", on: device)
            }
        }
    }
}
