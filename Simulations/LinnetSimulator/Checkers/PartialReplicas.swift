import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A device that does without a scope holds nothing of it, and all else just as one that holds all.
final class PartialReplicas: Checker {
    let invariant = Invariant.partialIsProjection
    let sights: [Sight.Kind] = [.projected]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .projected(let partial, let full, let collections) = sight else { return }
        let (part, whole) = (known.views[partial], known.views[full])
        let without = known.scopesLeft(partial)
        for row in part.rows where without.contains(row.scope) && row.stored >= row.first {
            throw violation("a batch of a scope that was left is stored", on: partial, full)
        }
        for key in part.records.keys.filter({ collections.contains($0.collection) }).sorted() {
            throw violation(
                "record \(key.record) of a scope that was left is stored", on: partial, full)
        }
        let shared = whole.records.filter { !collections.contains($0.key.collection) }
        guard part.records != shared else { return }
        let keys = Set(part.records.keys).union(shared.keys)
        let first = keys.filter { part.records[$0] != shared[$0] }.min()
        throw violation(
            "record \(first?.record.description ?? "") differs between a device that holds all and "
                + "one that does not", on: partial, full)
    }
}
