import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Nothing shows before what it builds on, and the parts of a commit show together.
final class CausalOrder: Checker {
    let invariant = Invariant.causalOrder
    let sights: [Sight.Kind] = [.shown]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .shown(let device, let applied) = sight else { return }
        let without = known.scopesLeft(device)
        for number in applied {
            let fact = known.catalogue.facts[number]
            try checkDependencies(of: fact, number, without: without, device)
            if fact.parts > 1 { try checkParts(of: fact, without: without, device) }
        }
    }

    private func checkDependencies(
        of fact: Fact, _ number: Int, without: [ScopeID], _ device: Int
    ) throws(Violation) {
        let (catalogue, applied) = (known.catalogue, known.views[device].applied)
        for scope in fact.body.attributes.dependencies where !without.contains(scope.scope) {
            for dependency in scope.heads {
                if let needed = catalogue.number(prefix: dependency.prefix),
                    applied.contains(needed) || isSaidAgain(needed, applied)
                {
                    continue
                }
                throw violation(
                    "batch \(known.describe(number)) shows before one that it builds on",
                    on: device)
            }
        }
    }

    /// True when a batch that shows says a batch again.
    private func isSaidAgain(_ number: Int, _ applied: FactSet) -> Bool {
        let fact = known.catalogue.facts[number]
        return known.catalogue.restatements(of: fact.root, fact.seq).contains(
            where: applied.contains)
    }

    private func checkParts(
        of fact: Fact, without: [ScopeID], _ device: Int
    ) throws(Violation) {
        let parts = known.catalogue.parts(of: fact.commit)
        let applied = known.views[device].applied
        if parts.contains(where: { isSaidAgain($0, applied) }) { return }
        let shown = Set(parts.filter(applied.contains).map(number(of:)))
        // A scope that is taken up again comes batch by batch.
        let elsewhere = Set(
            parts.filter { without.contains(known.catalogue.facts[$0].root.scope) }.map(number(of:))
        )
        guard shown.union(elsewhere).count != Int(fact.parts) else { return }
        throw violation("\(shown.count) of the \(fact.parts) parts of a commit show", on: device)
    }

    /// A part that was said again is one part.
    private func number(of part: Int) -> UInt64 {
        UInt64(known.catalogue.facts[part].body.attributes.part)
    }
}

/// The batches that a device had applied before it wrote are among those its new batch builds on.
final class NamesWhatWasSeen: Checker {
    let invariant = Invariant.causalOrder
    let sights: [Sight.Kind] = [.written]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .written(let written) = sight else { return }
        for number in written.facts { try check(number, seenBefore: written.rows, written.device) }
    }

    private func check(
        _ number: Int, seenBefore rows: [ChainRow], _ device: Int
    ) throws(Violation) {
        let fact = known.catalogue.facts[number]
        for row in rows where row.applied >= row.first && row.forkedAt == nil && row.parent == nil {
            guard let (root, chain) = known.numberedRoot(of: row), root != fact.root,
                !known.catalogue.forkedRoots.contains(root)
            else { continue }
            let named = chain < fact.cover.count ? fact.cover[chain] : 0
            guard named < row.applied else { continue }
            throw violation(
                "batch \(known.describe(number)) does not name what its author had seen",
                on: device)
        }
    }
}
