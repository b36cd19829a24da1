import LinnetWire

/// The admissions that standing removes take back, and the devices that this loses.
struct Loss {
    /// By record: true for an add that a standing remove takes back.
    private(set) var isTakenBack: [Bool]
    private let graph: RecordGraph

    /// Finds whom the removes that stand lose, and tells `standing` so; `foundNew` is true when
    /// somebody is lost that was not before.
    init(
        _ graph: RecordGraph, _ goodness: Goodness, _ standing: inout Standing,
        foundNew: inout Bool
    ) {
        self.graph = graph
        isTakenBack = Array(repeating: false, count: graph.nodes.count)
        var goesOn = true
        while goesOn {
            goesOn = false
            var takers = OrderedTable<Int, [Int]>()
            for remove in standing.chosen {
                for device in takeBack(by: remove, standing) {
                    takers[device, default: []].append(remove)
                }
            }
            for (device, removes) in takers {
                guard !hasAdmission(device, goodness) else { continue }
                for remove in removes where !standing.losing[device].contains(remove) {
                    standing.lose(device, by: remove)
                    goesOn = true
                    foundNew = true
                }
            }
        }
    }

    /// Returns the listed devices of which a remove takes admissions back.
    private mutating func takeBack(by remove: Int, _ standing: Standing) -> [Int] {
        guard case .remove(let payload) = graph.nodes[remove].payload else { return [] }
        var hit: [Int] = []
        for companion in payload.with {
            guard let device = graph.number(of: companion.device) else { continue }
            for add in graph.adds[device] {
                guard case .add = graph.nodes[add].payload else { continue }
                let author = graph.nodes[add].author
                guard
                    author == graph.nodes[remove].target
                        || standing.losing[author].contains(remove)
                else { continue }
                isTakenBack[add] = true
                if hit.last != device { hit.append(device) }
            }
        }
        return hit
    }

    /// True when a device has a good add that no standing remove took back.
    func hasAdmission(_ device: Int, _ goodness: Goodness) -> Bool {
        admission(of: device, goodness) != nil
    }

    /// The first good add of a device that no standing remove took back.
    func admission(of device: Int, _ goodness: Goodness) -> Int? {
        graph.adds[device].first { add in
            guard goodness.isGood[add], !isTakenBack[add] else { return false }
            return switch graph.nodes[add].payload {
            case .genesis: graph.nodes[add].target == device
            case .add: true
            default: false
            }
        }
    }
}
