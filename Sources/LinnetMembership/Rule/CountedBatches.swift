package import LinnetWire

/// The batches of one device that count.
package enum CountedBatches: Equatable, Sendable {
    /// None.
    case none
    /// These and those below them in their chains, ascending.
    case upTo([BatchHead])
    /// All in some scopes; in others these and those below them in their chains, ascending.
    case within([ScopeID], [BatchHead])
    /// All of them.
    case all

    /// Judges the batches of a device that has these rights now, nil for none.
    init(
        of device: Int, _ rights: Goodness.Rights?, in graph: RecordGraph,
        _ outcome: Choice.Outcome
    ) {
        if rights?.role.writes == true, rights?.scopes == .all {
            self = .all
            return
        }
        guard Self.wrote(device, graph, outcome.goodness) else {
            self = .none
            return
        }
        var heads = OrderedSet<BatchHead>()
        for record in graph.order where outcome.goodness.isGood[record] {
            let isTarget = graph.nodes[record].target == device
            switch graph.nodes[record].payload {
            case .remove
            where isTarget && Self.isBound(device, at: record, graph, outcome.goodness):
                // It would vouch for what it wrote in other scopes.
                break
            case .remove(let payload):
                let named =
                    isTarget
                    ? payload.heads
                    : payload.with.first { $0.device == graph.names[device] }?.heads ?? []
                for head in named { heads.insert(head) }
            case .role(let payload) where isTarget && payload.role != .admin:
                for head in payload.heads { heads.insert(head) }
            case .extend(let payload) where isTarget:
                for head in payload.heads { heads.insert(head) }
            default: break
            }
        }
        if let rights, rights.role.writes, case .some(let scopes) = rights.scopes {
            self = .within(scopes, heads.elements)
        } else {
            self = .upTo(heads.elements)
        }
    }

    /// True for a leave of a device that was bound to scopes.
    private static func isBound(
        _ device: Int, at record: Int, _ graph: RecordGraph, _ goodness: Goodness
    ) -> Bool {
        graph.nodes[record].author == device
            && (goodness.knownRights(of: device, at: record)?.scopes ?? .all) != .all
    }

    /// True when a device was an admin or member once.
    private static func wrote(_ device: Int, _ graph: RecordGraph, _ goodness: Goodness) -> Bool {
        (graph.adds[device] + graph.roles[device]).contains { record in
            guard goodness.isGood[record] else { return false }
            return switch graph.nodes[record].payload {
            case .genesis: graph.nodes[record].target == device
            case .add(let payload): payload.role.writes
            case .role(let payload): payload.role.writes
            default: false
            }
        }
    }
}
