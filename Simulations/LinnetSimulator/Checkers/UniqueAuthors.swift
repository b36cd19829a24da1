import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// I10: an author has one history, unless its home went back in time or ran twice; then the fork is
/// raised and both histories are kept.
extension Inspector {
    func checkUniqueness(_ number: Int) throws(Violation) {
        let fact = catalogue.facts[number]
        let others = catalogue.facts(at: fact.root, fact.seq).filter {
            $0 != number && !catalogue.facts[$0].isLost
        }
        guard let other = others.first, !forksAllowed else { return }
        throw Violation(
            .uniqueAuthors,
            "batches \(describe(other)) and \(describe(number)) share author, scope and number")
    }

    /// Who holds two histories of an author has split its chain.
    func checkForks(_ device: Int) throws(Violation) {
        let view = views[device]
        for root in catalogue.forkedRoots.sorted() {
            guard
                let trunk = view.rows.first(where: {
                    ChainKey(scope: $0.scope, chain: $0.chain) == root
                })
            else { continue }
            let branches = view.rows.count { ChainNames.root($0) == root }
            if branches > 1, trunk.forkedAt == nil {
                throw Violation(
                    .uniqueAuthors, "a device holds two histories of an author unsplit",
                    devices: [device])
            }
        }
    }
}
