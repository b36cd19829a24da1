/// The restrictions that stand so far, and what they leave of each device's records.
struct Standing {
    private let graph: RecordGraph
    /// True for each record that is a restriction and stands.
    private(set) var stands: [Bool]
    /// The same restrictions, as they were chosen.
    private(set) var chosen: [Int] = []
    /// By device: the records that those of it must be before.
    private var bars: [[Int]]
    /// By device: the leaves that no record of it may descend from.
    private var leaves: [[Int]]
    /// By device: the records of new recovery keys that it signed.
    private var successions: [[Int]]
    /// By device: the standing role records of it by others.
    private(set) var demotions: [[Int]]
    /// By device: the removes that lost it.
    private(set) var losing: [[Int]]
    /// By device: true for a recovery key that genesis or a standing record names.
    private(set) var isRecoveryKey: [Bool]

    init(_ graph: RecordGraph) {
        self.graph = graph
        let none = [[Int]](repeating: [], count: graph.names.count)
        stands = Array(repeating: false, count: graph.nodes.count)
        (bars, leaves, successions, demotions, losing) = (none, none, none, none, none)
        isRecoveryKey = graph.names.indices.map { device in
            graph.adds[device].contains { add in
                guard case .genesis = graph.nodes[add].payload else { return false }
                return graph.nodes[add].target != device
            }
        }
    }

    mutating func add(_ restriction: Int) {
        stands[restriction] = true
        chosen.append(restriction)
        let node = graph.nodes[restriction]
        switch (node.payload, node.target) {
        case (.remove, let target?) where target == node.author: leaves[target].append(restriction)
        case (.remove, let target?): bars[target].append(restriction)
        case (.role, let target?) where target != node.author:
            demotions[target].append(restriction)
        case (.recovery(let key), _):
            successions[node.author].append(restriction)
            if let key = graph.number(of: key.device) { isRecoveryKey[key] = true }
        default: break
        }
    }

    /// A device is lost by a remove.
    mutating func lose(_ device: Int, by remove: Int) {
        losing[device].append(remove)
        if graph.nodes[remove].author != device { bars[device].append(remove) }
    }

    /// True when a device is the target of a remove that stands.
    func removes(_ device: Int) -> Bool {
        !leaves[device].isEmpty
            || bars[device].contains { graph.nodes[$0].target == device }
    }

    /// True when a recovery key was replaced.
    func replaced(_ key: Int) -> Bool { !successions[key].isEmpty }

    /// True when no restriction makes a record void by what it does to the record's author.
    func allows(_ record: Int) -> Bool {
        let author = graph.nodes[record].author
        return bars[author].allSatisfy { graph.isBefore(record, $0) }
            && leaves[author].allSatisfy { !graph.isBefore($0, record) }
            && successions[author].allSatisfy { $0 == record || graph.isBefore(record, $0) }
    }
}
