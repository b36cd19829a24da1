import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// What a name in an operation means on a replica that knows of forks: the writer's own history, or
/// of several others that whose name is the smallest.
struct ReferenceNames {
    private let rows: [ChainRow]
    private let hasForks: Bool

    init(_ rows: [ChainRow]) {
        self.rows = rows
        hasForks = rows.contains { $0.forkedAt != nil }
    }

    /// The place that `writer` means by a place.
    func meaning(of named: Position, in scope: ScopeID, to writer: AuthorID) -> Position {
        guard hasForks, let row = path(of: named, in: scope, to: writer).last else { return named }
        return Position(chain: row.chain, seq: named.seq, index: named.index)
    }

    /// Whether `writer` has seen an operation, if it says that it has seen `context`.
    func has(
        _ writer: AuthorID, in scope: ScopeID, seen place: Position, by context: CausalContext
    ) -> Bool {
        context.lasts.contains { last in
            let path = hasForks ? path(of: last, in: scope, to: writer) : []
            guard let end = path.last else { return place.chain == last.chain && place <= last }
            if place.chain == end.chain {
                return (place.seq, place.index) <= (last.seq, last.index)
            }
            // What comes before a branch belongs to its history.
            return zip(path, path.dropFirst()).contains { trunk, branch in
                place.chain == trunk.chain && place.seq < branch.first
            }
        }
    }

    /// The chain of a name, then the branch that leads on from it, and so on up to the place.
    private func path(of named: Position, in scope: ScopeID, to writer: AuthorID) -> [ChainRow] {
        guard let start = rows.first(where: { $0.scope == scope && $0.chain == named.chain })
        else { return [] }
        let own = history(of: writer, in: scope)
        var path = [start]
        while let trunk = path.last {
            let branches = rows.filter { $0.parent == trunk.index }
            let branch =
                branches.first { own.contains($0.index) }
                ?? branches.min { $0.chain < $1.chain }
            guard let branch, branch.first <= named.seq else { break }
            path.append(branch)
        }
        return path
    }

    private func history(of writer: AuthorID, in scope: ScopeID) -> [Int64] {
        var history: [Int64] = []
        var next = rows.first { $0.scope == scope && $0.chain == writer }
        while let row = next {
            history.append(row.index)
            next = rows.first { $0.index == row.parent }
        }
        return history
    }
}
