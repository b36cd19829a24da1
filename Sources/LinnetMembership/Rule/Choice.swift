import LinnetWire

/// Chooses the restrictions that stand, the strongest first.
struct Choice {
    /// The state that the records come to while some restrictions stand.
    struct Outcome {
        var standing: Standing
        var goodness: Goodness
        var loss: Loss

        /// Judges anew until nobody more is lost.
        init(_ graph: RecordGraph, _ standing: Standing) {
            var standing = standing
            var goodness = Goodness(graph, standing)
            var foundNew = false
            var loss = Loss(graph, goodness, &standing, foundNew: &foundNew)
            while foundNew {
                goodness = Goodness(graph, standing)
                foundNew = false
                loss = Loss(graph, goodness, &standing, foundNew: &foundNew)
            }
            (self.standing, self.goodness, self.loss) = (standing, goodness, loss)
        }

        /// True when a device is a member.
        func isMember(_ device: Int) -> Bool {
            !standing.removes(device) && standing.losing[device].isEmpty
                && loss.hasAdmission(device, goodness)
        }

        /// The first add that makes a device a member; nil when it is none.
        func admission(of device: Int) -> Int? {
            isMember(device) ? loss.admission(of: device, goodness) : nil
        }
    }

    /// The outcome in the end.
    private(set) var outcome: Outcome
    /// The votes on each restriction when it was chosen, put aside or made void.
    private(set) var ballots = OrderedTable<Int, Ballot>()
    private let graph: RecordGraph
    private var box: BallotBox
    /// Restrictions that do not stand and were not put aside.
    private var open: [Int]

    init(_ graph: RecordGraph) {
        self.graph = graph
        box = BallotBox(graph)
        open = graph.restrictions
        outcome = Outcome(graph, Standing(graph))
        while let strongest = strongest() {
            open.removeAll { $0 == strongest }
            var standing = outcome.standing
            standing.add(strongest)
            let next = Outcome(graph, standing)
            let isOfKey = outcome.goodness.isRecoveryKey(
                graph.nodes[strongest].author, at: strongest)
            if isOfKey || hasAdmin(next) { outcome = next }
        }
    }

    private func hasAdmin(_ outcome: Outcome) -> Bool {
        graph.names.indices.contains { device in
            outcome.isMember(device) && outcome.goodness.rights(of: device)?.role == .admin
        }
    }

    /// The strongest restriction that may stand now.
    private mutating func strongest() -> Int? {
        var candidates: [Int] = []
        for restriction in open where outcome.standing.allows(restriction) {
            let ballot = box.count(restriction, outcome.standing)
            ballots[restriction] = ballot
            guard outcome.goodness.isEntitled[restriction],
                box.upholds(restriction, ballot, outcome.goodness)
            else { continue }
            candidates.append(restriction)
        }
        return candidates.filter { candidate in
            !candidates.contains { other in
                guard case .remove = graph.nodes[other].payload else { return false }
                return graph.nodes[other].target == graph.nodes[candidate].author
                    && graph.isBefore(other, candidate)
            }
        }.min { isStronger($0, than: $1) }
    }

    private func isStronger(_ first: Int, than second: Int) -> Bool {
        let (one, other) = (grade(first), grade(second))
        if one != other { return one < other }
        let (yes, no) = (ballots[first] ?? Ballot(), ballots[second] ?? Ballot())
        if yes.margin != no.margin { return yes.margin > no.margin }
        if yes.yes.count != no.yes.count { return yes.yes.count > no.yes.count }
        let authors = (graph.nodes[first].author, graph.nodes[second].author)
        if authors.0 != authors.1 {
            if graph.isSenior(authors.0, to: authors.1) { return true }
            if graph.isSenior(authors.1, to: authors.0) { return false }
        }
        return graph.precedes(first, second)
    }

    private func grade(_ restriction: Int) -> Int {
        let node = graph.nodes[restriction]
        if case .recovery = node.payload { return 0 }
        if outcome.goodness.isRecoveryKey(node.author, at: restriction) { return 1 }
        if case .remove = node.payload, node.author == node.target { return 2 }
        return 3
    }
}
