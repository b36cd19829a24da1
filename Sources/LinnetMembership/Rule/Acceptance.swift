import LinnetWire

/// The devices that each device accepts, whose votes count when it restricts or is restricted.
struct Acceptance {
    private let graph: RecordGraph
    private var known = OrderedTable<Int, OrderedSet<Int>>()

    init(_ graph: RecordGraph) { self.graph = graph }

    /// The devices that one accepts; records that are void count.
    mutating func accepted(by device: Int) -> OrderedSet<Int> {
        if let found = known[device] { return found }
        let seen = firsts(graph.own[device]).reduce(into: RecordSet()) {
            $0.formUnion(graph.nodes[$1].before)
        }
        let introductions = firsts(graph.adds[device])
        var accepted = OrderedSet([device])
        for (other, adds) in graph.adds.enumerated() {
            let isKnown = adds.contains { add in
                seen.contains(add) || graph.nodes[add].author == device
                    || !introductions.isEmpty
                        && introductions.allSatisfy { graph.isBefore(add, $0) }
            }
            if isKnown { accepted.insert(other) }
        }
        for record in graph.own[device] {
            guard case .vote(let vote) = graph.nodes[record].payload, vote.isFor,
                let add = graph.place(of: vote.record)
            else { continue }
            switch graph.nodes[add].payload {
            case .genesis, .add:
                if let target = graph.nodes[add].target { accepted.insert(target) }
            default: break
            }
        }
        known[device] = accepted
        return accepted
    }

    /// The records that no other of these is before.
    private func firsts(_ records: [Int]) -> [Int] {
        var firsts: [Int] = []
        for record in records where !firsts.contains(where: { graph.isBefore($0, record) }) {
            firsts.append(record)
        }
        return firsts
    }
}
