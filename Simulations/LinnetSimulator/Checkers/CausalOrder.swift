import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// I7: nothing shows before what it builds on; the parts of a commit show together; what an author
/// had seen is named by what it writes; a writer reads its own writes.
extension Inspector {
    func checkCausality(of applied: [Int], _ device: Int) throws(Violation) {
        let without = scopesLeft(device)
        for number in applied {
            let fact = catalogue.facts[number]
            for scope in fact.body.attributes.dependencies
            where !without.contains(scope.scope) {
                for dependency in scope.heads {
                    guard let needed = catalogue.number(prefix: dependency.prefix),
                        views[device].applied.contains(needed)
                    else {
                        throw Violation(
                            .causalOrder,
                            "batch \(describe(number)) shows before one that it builds on",
                            devices: [device])
                    }
                }
            }
            guard fact.parts > 1 else { continue }
            let parts = catalogue.parts(of: fact.commit)
            let shown = parts.count { views[device].applied.contains($0) }
            // A scope that is taken up again comes batch by batch.
            let elsewhere = parts.count {
                without.contains(catalogue.facts[$0].root.scope)
                    && !views[device].applied.contains($0)
            }
            if shown + elsewhere != Int(fact.parts) {
                throw Violation(
                    .causalOrder, "\(shown) of the \(fact.parts) parts of a commit show",
                    devices: [device])
            }
        }
    }

    /// A chain of which a replica does not show all that it could.
    func stuckChain(_ device: Int) -> ChainRow? {
        let waiting = views[device].rows.filter { $0.applied < $0.stored }
        guard !waiting.isEmpty else { return nil }
        let doomed = catalogue.doomed()
        return waiting.first { row in
            let next = catalogue.facts(at: ChainNames.root(row), row.applied + 1).filter {
                views[device].held.contains($0) && !views[device].applied.contains($0)
            }
            return next.isEmpty || next.contains { !doomed.contains($0) }
        }
    }

    /// Whether two devices differ, and only in what is gone for ever or builds on it.
    func isLoss(_ one: FactSet, _ other: FactSet) -> Bool {
        let doomed = catalogue.doomed()
        let differing = one.subtracting(other) + other.subtracting(one)
        return !differing.isEmpty && differing.allSatisfy(doomed.contains)
    }

    /// What the next batch of a chain waits for, for people.
    func wait(of row: ChainRow, _ device: Int) -> String {
        let root = ChainNames.root(row)
        for number in catalogue.facts(at: root, row.applied + 1)
        where views[device].held.contains(number) {
            for scope in catalogue.facts[number].body.attributes.dependencies {
                for dependency in scope.heads {
                    let needed = catalogue.number(prefix: dependency.prefix)
                    if let needed, views[device].applied.contains(needed) { continue }
                    guard let needed else { return ", waits for a batch that nobody ever had" }
                    let holders = views.indices.filter { views[$0].held.contains(needed) }
                    return ", waits for batch \(describe(needed)), which \(holders) hold"
                }
            }
        }
        return ", waits for the rest of a commit, for a key, or for nothing"
    }

    /// What a device had applied before it wrote is among what its new batch builds on.
    func checkNaming(of number: Int, seenBefore rows: [ChainRow], _ device: Int) throws(Violation) {
        let fact = catalogue.facts[number]
        for row in rows where row.applied >= row.first && row.forkedAt == nil && row.parent == nil {
            let root = self.root(of: row)
            guard let chain = catalogue.chainNumber(root), root != fact.root,
                !catalogue.forkedRoots.contains(root)
            else { continue }
            let named = chain < fact.cover.count ? fact.cover[chain] : 0
            if named < row.applied {
                throw Violation(
                    .causalOrder,
                    "batch \(describe(number)) does not name what its author had seen",
                    devices: [device])
            }
        }
    }
}
