package import LinnetWire

/// A removal or a leave, and what became of it.
package struct Removal: Equatable, Sendable {
    /// Its record.
    package let id: MemberRecordID
    /// The device that it takes out.
    package let device: DeviceID
    /// The device that signed it; the same for a leave.
    package let author: DeviceID
    /// The stated reason; see ``RemovalReason``.
    package let reason: UInt8
    /// The devices that it names to go along.
    package let with: [DeviceID]
    /// True when it has effect.
    package let stands: Bool
    /// The devices that are counted for it.
    package let yes: [DeviceID]
    /// The devices that are counted against it.
    package let no: [DeviceID]
    /// The members that are not known to have heard of it, as far as records tell.
    package private(set) var unheard: [DeviceID]

    /// The same, where these devices are known to have heard of it.
    package func heard(by devices: [DeviceID]) -> Removal {
        var copy = self
        copy.unheard.removeAll(where: devices.contains)
        return copy
    }
}

/// The removals and leaves of a group.
package struct Removals {
    private let log: MembershipLog
    private var graph: RecordGraph { log.graph }
    private var state: MembershipState { log.state }

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { self.log = log }

    /// Every removal and leave, in order.
    package var all: [Removal] {
        graph.restrictions.compactMap { place in
            let node = graph.nodes[place]
            guard case .remove(let payload) = node.payload,
                let judged = state.verdict.restrictions[node.id]
            else { return nil }
            let unheard = state.members.map(\.device).filter { member in
                guard let number = graph.number(of: member) else { return true }
                return !graph.own[number].contains { $0 == place || graph.isBefore(place, $0) }
            }
            return Removal(
                id: node.id, device: payload.device, author: graph.names[node.author],
                reason: payload.reason, with: payload.with.map(\.device), stands: judged.stands,
                yes: judged.yes, no: judged.no, unheard: unheard)
        }
    }

    /// The removal or leave that took a device out; nil for a member, and for a device that never
    /// was one or went along with another one.
    package func last(of device: DeviceID) -> Removal? {
        guard state.member(device) == nil else { return nil }
        return all.first { $0.device == device && $0.stands }
            ?? all.first { $0.stands && $0.with.contains(device) }
    }

    /// True when records with these heads say that a device belongs to the group no more.
    package func knowsRemoval(of device: DeviceID, from heads: [MemberRecordID]) -> Bool {
        heads.contains(where: log.contains) && log.state(upTo: heads).member(device) == nil
    }

    /// The members that a device admitted and nobody else did, ascending.
    package func admittedAlone(by device: DeviceID) -> [DeviceID] {
        guard let number = graph.number(of: device) else { return [] }
        return state.members.map(\.device).filter { member in
            guard let other = graph.number(of: member), member != device else { return false }
            return graph.adds[other].allSatisfy { graph.nodes[$0].author == number }
        }.sorted()
    }
}
