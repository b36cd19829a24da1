package import LinnetWire

/// The records that the members of a group owe it.
package struct Duties {
    private let graph: RecordGraph
    private let state: MembershipState

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { (graph, state) = (log.graph, log.state) }

    /// Returns the record for which a member has to vote next; nil when there is none. Its first
    /// record accepts its own admission; later it votes for what stands, unless that is a fork,
    /// names the device, or the device spoke of it already.
    package func vote(of device: DeviceID) -> MemberRecordID? {
        guard let member = state.member(device), let number = graph.number(of: device) else {
            return nil
        }
        if graph.own[number].isEmpty { return member.admission }
        guard member.role.writes else { return nil }
        return graph.restrictions.first { restriction in
            let node = graph.nodes[restriction]
            guard let judged = state.verdict.restrictions[node.id], judged.stands,
                !judged.isForked, node.author != number
            else { return false }
            if case .recovery = node.payload { return !hasChosenKey(number, of: restriction) }
            guard let target = node.target, target != number, target != node.author,
                !state.verdict.recoveryKeys.contains(graph.names[node.author])
            else { return false }
            return !hasSpoken(number, of: restriction)
        }.map { graph.nodes[$0].id }
    }

    /// True when a device voted on a new recovery key, or on another one that followed the same.
    private func hasChosenKey(_ device: Int, of restriction: Int) -> Bool {
        let rivals = graph.restrictions.filter { other in
            guard case .recovery = graph.nodes[other].payload else { return false }
            return graph.nodes[other].author == graph.nodes[restriction].author
        }
        return rivals.contains { rival in
            (graph.votes[graph.nodes[rival].id] ?? []).contains { graph.nodes[$0].author == device }
        }
    }

    /// True when a device voted on a restriction, on another one of the same two, or for one that
    /// is mutual with it.
    private func hasSpoken(_ device: Int, of restriction: Int) -> Bool {
        let node = graph.nodes[restriction]
        return graph.restrictions.contains { other in
            let (author, target) = (graph.nodes[other].author, graph.nodes[other].target)
            let isSame = author == node.author && target == node.target
            let isMutual =
                author == node.target && target == node.author
                && graph.isConcurrent(other, restriction)
            guard isSame || isMutual else { return false }
            if isMutual, author == device { return true }
            return (graph.votes[graph.nodes[other].id] ?? []).contains { vote in
                guard graph.nodes[vote].author == device,
                    case .vote(let payload) = graph.nodes[vote].payload
                else { return false }
                return other == restriction || (isSame ? !payload.isFor : payload.isFor)
            }
        }
    }

    /// The devices that left and may still sign records beside their leaves, since nobody else
    /// removed them, ascending.
    package var openLeavers: OrderedSet<DeviceID> {
        var left = OrderedSet<Int>()
        var closed = OrderedSet<Int>()
        for place in graph.restrictions {
            let node = graph.nodes[place]
            guard case .remove = node.payload, let target = node.target,
                state.verdict.restrictions[node.id]?.stands == true
            else { continue }
            if target == node.author { left.insert(target) } else { closed.insert(target) }
        }
        return OrderedSet(left.elements.filter { !closed.contains($0) }.map { graph.names[$0] })
    }

    /// Returns the device that left and that an admin has to remove for good, with the number of
    /// admins that should do so before this one; nil when there is none.
    package func closing(by device: DeviceID) -> (leaver: DeviceID, rank: Int)? {
        let admins = state.members.filter { $0.role == .admin }.map(\.device).sorted()
        guard let rank = admins.firstIndex(of: device), let number = graph.number(of: device)
        else { return nil }
        return openLeavers.first { leaver in
            !graph.restrictions.contains { place in
                let node = graph.nodes[place]
                return node.author == number && node.target.map { graph.names[$0] } == leaver
            }
        }.map { ($0, rank) }
    }
}
