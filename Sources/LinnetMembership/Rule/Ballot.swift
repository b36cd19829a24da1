import LinnetWire

/// The devices that are for and against one restriction.
struct Ballot: Equatable {
    /// By number, ascending.
    var yes: [Int] = []
    var no: [Int] = []
    /// True when the restriction itself is a fork.
    var isForked = false

    /// Devices for it less those against it.
    var margin: Int { yes.count - no.count }
}

/// Counts the votes on restrictions.
struct BallotBox {
    private let graph: RecordGraph
    private let statements: Statements
    private var acceptance: Acceptance
    /// By device: true when it was ever made admin or member.
    private let wasWriter: [Bool]
    /// By device: true when each of its records descends from the one before it.
    private let isChain: [Bool]

    init(_ graph: RecordGraph) {
        self.graph = graph
        statements = Statements(graph)
        acceptance = Acceptance(graph)
        wasWriter = graph.names.indices.map { Self.wasWriter($0, in: graph) }
        isChain = graph.own.map { own in
            zip(own, own.dropFirst()).allSatisfy { graph.isBefore($0, $1) }
        }
    }

    /// The votes on a restriction, given what stands.
    mutating func count(_ restriction: Int, _ standing: Standing) -> Ballot {
        let node = graph.nodes[restriction]
        var words = OrderedTable<Int, Bool>()
        var ballot = Ballot()
        for statement in statements.all[restriction] ?? [] {
            let voter = graph.nodes[statement.record].author
            guard standing.allows(statement.record) else { continue }
            let isFork = isFork(statement.record, standing)
            if statement.record == restriction { ballot.isForked = isFork }
            guard !isFork, !standing.isRecoveryKey[voter], wasWriter[voter] else { continue }
            words[voter] = statement.isYes
        }
        guard let target = node.target else {
            ballot.yes = words.filter(\.value).map(\.key)
            ballot.no = words.filter { !$0.value }.map(\.key)
            return ballot
        }
        let (judges, friends) = (
            acceptance.accepted(by: target), acceptance.accepted(by: node.author)
        )
        for (voter, isYes) in words {
            if isYes {
                guard voter == target ? node.author == target : judges.contains(voter) else {
                    continue
                }
                ballot.yes.append(voter)
            } else if voter == target || friends.contains(voter) {
                ballot.no.append(voter)
            }
        }
        return ballot
    }

    /// True when a restriction may stand by its author and its votes.
    func upholds(_ restriction: Int, _ ballot: Ballot, _ goodness: Goodness) -> Bool {
        let node = graph.nodes[restriction]
        if goodness.isRecoveryKey(node.author, at: restriction) { return true }
        if node.target == node.author {
            guard case .role(let payload) = node.payload else { return true }
            let rights = goodness.rights(of: node.author, at: restriction)
            if let rights, payload.role.height < rights.role.height { return true }
        }
        if ballot.isForked, ballot.yes.isEmpty { return false }
        if ballot.margin != 0 { return ballot.margin > 0 }
        let senior = (ballot.yes + ballot.no).min { graph.isSenior($0, to: $1) }
        return senior.map(ballot.yes.contains) ?? true
    }

    /// True when another record of the same author is concurrent with one, and not void by what
    /// stands.
    private func isFork(_ record: Int, _ standing: Standing) -> Bool {
        let author = graph.nodes[record].author
        return !isChain[author]
            && graph.own[author].contains {
                graph.isConcurrent($0, record) && standing.allows($0)
            }
    }

    private static func wasWriter(_ device: Int, in graph: RecordGraph) -> Bool {
        (graph.adds[device] + graph.roles[device]).contains { record in
            switch graph.nodes[record].payload {
            case .genesis: graph.nodes[record].target == device
            case .add(let payload): payload.role.writes
            case .role(let payload): payload.role.writes
            default: false
            }
        }
    }
}
