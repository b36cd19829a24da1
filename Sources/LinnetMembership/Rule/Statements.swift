import LinnetWire

/// The records by which devices are for or against each restriction.
struct Statements {
    /// One device's word.
    struct Statement {
        let record: Int
        let isYes: Bool
    }

    /// The two sides of a restriction.
    private struct Sides: Comparable {
        let author: Int
        let target: Int

        static func < (left: Sides, right: Sides) -> Bool {
            (left.author, left.target) < (right.author, right.target)
        }
    }

    /// By restriction, each in order.
    private(set) var all = OrderedTable<Int, [Statement]>()

    init(_ graph: RecordGraph) {
        var bySides = OrderedTable<Sides, [Int]>()
        for restriction in graph.restrictions {
            guard let target = graph.nodes[restriction].target else { continue }
            let sides = Sides(author: graph.nodes[restriction].author, target: target)
            bySides[sides, default: []].append(restriction)
        }
        for restriction in graph.restrictions {
            var found = [Statement(record: restriction, isYes: true)]
            found += Self.votes(on: restriction, in: graph, isFor: true, isYes: true)
            let author = graph.nodes[restriction].author
            if let target = graph.nodes[restriction].target {
                for same in bySides[Sides(author: author, target: target)] ?? [] {
                    found += Self.votes(on: same, in: graph, isFor: false, isYes: false)
                }
                for other in bySides[Sides(author: target, target: author)] ?? []
                where graph.isConcurrent(other, restriction) {
                    found.append(Statement(record: other, isYes: false))
                    found += Self.votes(on: other, in: graph, isFor: true, isYes: false)
                }
            } else {
                found += Self.votes(on: restriction, in: graph, isFor: false, isYes: false)
            }
            all[restriction] = found.sorted { graph.precedes($0.record, $1.record) }
        }
    }

    private static func votes(
        on restriction: Int, in graph: RecordGraph, isFor: Bool, isYes: Bool
    ) -> [Statement] {
        (graph.votes[graph.nodes[restriction].id] ?? []).compactMap { vote in
            guard case .vote(let payload) = graph.nodes[vote].payload, payload.isFor == isFor
            else { return nil }
            return Statement(record: vote, isYes: isYes)
        }
    }
}
