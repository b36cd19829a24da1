package import LinnetWire

/// The records by which devices owe to say that they hold others.
package struct Receipts {
    private let log: MembershipLog
    private var graph: RecordGraph { log.graph }

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { self.log = log }

    /// Returns the record for which a device has to sign a receipt next; nil when there is none.
    ///
    /// A member owes one for a removal that stands, where nothing that it signed says already that
    /// it holds it: whoever votes has signed. A device that was removed owes one for the request to
    /// destroy itself, where it obeys.
    package func due(from device: DeviceID, obeying: Bool) -> MemberRecordID? {
        guard let number = graph.number(of: device) else { return nil }
        if log.state.member(device) == nil {
            guard obeying else { return nil }
            return Wipes(log).order(to: device).flatMap { $0.obeyed == nil ? $0.id : nil }
        }
        return graph.restrictions.first { place in
            let node = graph.nodes[place]
            guard case .remove = node.payload, node.target != node.author,
                log.state.verdict.restrictions[node.id]?.stands == true
            else { return false }
            return evidence(that: number, holds: place) == nil
        }.map { graph.nodes[$0].id }
    }

    /// The earliest record of each device that shows that it holds a removal.
    func evidence(of place: Int) -> [(device: DeviceID, record: MemberRecordID)] {
        log.state.members.compactMap { member in
            guard let number = graph.number(of: member.device),
                let record = evidence(that: number, holds: place)
            else { return nil }
            return (member.device, record)
        }
    }

    private func evidence(that number: Int, holds place: Int) -> MemberRecordID? {
        graph.own[number].first { $0 == place || graph.isBefore(place, $0) }
            .map { graph.nodes[$0].id }
    }
}

extension Receipts {
    /// A record by which a device says that it holds another one; the caller inserts it.
    package func receipt(
        for record: MemberRecordID, wallMilliseconds: Int64, keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        let payload = ReceiptPayload(record: record, wallMilliseconds: wallMilliseconds)
        return try MemberRecord.made(
            of: payload.encoded, kind: ReceiptPayload.kind,
            on: parents(joining: record, by: keys.device), in: log, keys: keys)
    }

    /// The parents of a record that speaks of another one: that one and the author's last, so that
    /// it is no fork.
    func parents(joining record: MemberRecordID, by author: DeviceID) -> [MemberRecordID] {
        var parents = OrderedSet([record])
        if let own = graph.last(of: author) { parents.insert(own) }
        return parents.elements.filter { one in
            !parents.elements.contains { $0 != one && log.contains(one, upTo: [$0]) }
        }
    }
}
