import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The meaning of an author's name in an operation, as docs/protocol.md gives it under
/// "References": found from the batches alone, by walking from each to the one before it.
extension ReferenceFold {
    /// The place that the writer of a fact means by a place.
    func meaning(of named: Position, in scope: ScopeID, to writer: Int) -> Position {
        guard let root = catalogue.forkedRoot(named: named.chain, in: scope),
            let fact = fact(meantBy: named, root, to: writer)
        else { return named }
        return Position(chain: chain(of: fact), seq: named.seq, index: named.index)
    }

    /// Returns true when a writer that says that it has seen `context` has seen an operation.
    func has(
        _ writer: Int, seen other: ReferenceOperation, by context: CausalContext
    ) -> Bool {
        context.lasts.contains { last in
            guard let root = catalogue.forkedRoot(named: last.chain, in: other.scope) else {
                return other.place.chain == last.chain && other.place <= last
            }
            let seen = catalogue.facts[other.entry.fact]
            guard seen.root == root, let end = fact(meantBy: last, root, to: writer),
                let there = ancestor(of: end, at: seen.seq), there == other.entry.fact
            else { return false }
            return (seen.seq, other.entry.index) <= (last.seq, last.index)
        }
    }

    /// The batch of a forked author that holds a place, to the writer of a fact.
    private func fact(meantBy named: Position, _ root: ChainKey, to writer: Int) -> Int? {
        if catalogue.facts[writer].root == root { return ancestor(of: writer, at: named.seq) }
        let last = lastNamed(named.chain, in: root.scope, by: writer)
        if let last, let there = ancestor(of: last, at: named.seq) { return there }
        return descendant(of: last, root, at: named.seq)
    }

    /// The batch that a writer's latest dependency on a name names, in its batch or before it.
    private func lastNamed(_ name: AuthorID, in scope: ScopeID, by writer: Int) -> Int? {
        var next: Int? = writer
        while let number = next {
            let fact = catalogue.facts[number]
            let attributes = fact.body.attributes
            for part in attributes.dependencies where part.scope == scope {
                for head in part.heads where attributes.authors[head.author] == name {
                    return catalogue.number(prefix: head.prefix)
                }
            }
            next = catalogue.number(fact.prev)
        }
        return nil
    }

    private func ancestor(of number: Int, at seq: UInt64) -> Int? {
        var next: Int? = number
        while let number = next, catalogue.facts[number].seq > seq {
            next = catalogue.number(catalogue.facts[number].prev)
        }
        guard let found = next, catalogue.facts[found].seq == seq else { return nil }
        return found
    }

    /// The branch with the smallest name: it follows a batch if no writer said which one it means.
    private func descendant(of number: Int?, _ root: ChainKey, at seq: UInt64) -> Int? {
        var current = number
        var last = number.map { catalogue.facts[$0].seq } ?? 0
        while last < seq {
            let previous = current.map { catalogue.facts[$0].id } ?? .zero
            let next = catalogue.facts(at: root, last + 1).filter {
                catalogue.facts[$0].prev == previous && held.contains($0)
            }
            guard let smallest = next.min(by: { chain(of: $0) < chain(of: $1) }) else { return nil }
            current = smallest
            last += 1
        }
        return current
    }
}
