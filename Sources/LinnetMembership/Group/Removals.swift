package import LinnetWire

/// A removal, a leave, or another role for a device, and what became of it.
package struct Removal: Equatable, Sendable {
    /// Its record.
    package let id: MemberRecordID
    /// The device that it takes out, or gives a role.
    package let device: DeviceID
    /// The device that signed it; the same for a leave.
    package let author: DeviceID
    /// The role; nil for a removal or a leave.
    package let role: Role?
    /// The stated reason; see ``RemovalReason``. 0 for a role.
    package let reason: UInt8
    /// The devices that it names to go along.
    package let with: [DeviceID]
    /// True when it has effect.
    package let stands: Bool
    /// The devices that are counted for it.
    package let yes: [DeviceID]
    /// The devices that are counted against it.
    package let no: [DeviceID]
    /// The devices that were last for it and are not counted: they are strangers to the other side,
    /// or wrote two histories.
    package let uncountedYes: [DeviceID]
    /// The devices that were last against it and are not counted, likewise.
    package let uncountedNo: [DeviceID]
    /// The records that this one is mutual with: each is against the other's author.
    package let rivals: [MemberRecordID]
    /// The members that may vote on it and have not spoken.
    package let silent: [DeviceID]
    /// The members that are not known to have heard of it, as far as records tell.
    package private(set) var unheard: [DeviceID]
    /// The members that are known to hold it, with the evidence.
    package private(set) var holders: [Holder]

    /// A member that is known to hold a removal.
    package struct Holder: Equatable, Sendable {
        /// The member.
        package let device: DeviceID
        /// Its own record that shows it: the removal or one that follows it; nil when the member
        /// only announced it in a session.
        package let record: MemberRecordID?
    }

    /// The same, where these devices are known to have heard of it.
    package func heard(by devices: [DeviceID]) -> Removal {
        var copy = self
        copy.unheard.removeAll(where: devices.contains)
        copy.holders += unheard.filter(devices.contains).map { Holder(device: $0, record: nil) }
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
    package var all: [Removal] { withRoles.filter { $0.role == nil } }

    /// Every removal, leave, and role other than admin that a record gives, in order.
    package var withRoles: [Removal] {
        let statements = Statements(graph)
        return graph.restrictions.compactMap { place in
            let node = graph.nodes[place]
            guard let judged = state.verdict.restrictions[node.id], let target = node.target
            else { return nil }
            var (role, reason, with): (Role?, UInt8, [DeviceID]) = (nil, 0, [])
            switch node.payload {
            case .remove(let payload):
                (reason, with) = (payload.reason, payload.with.map(\.device))
            case .role(let payload): role = payload.role
            default: return nil
            }
            let holders = Receipts(log).evidence(of: place).map {
                Removal.Holder(device: $0.device, record: $0.record)
            }
            let spoken = (statements.all[place] ?? []).map { graph.nodes[$0.record].author }
            let uncounted = uncounted(statements.all[place] ?? [], judged)
            return Removal(
                id: node.id, device: graph.names[target], author: graph.names[node.author],
                role: role, reason: reason, with: with, stands: judged.stands, yes: judged.yes,
                no: judged.no, uncountedYes: uncounted.filter(\.value).map(\.key),
                uncountedNo: uncounted.filter { !$0.value }.map(\.key), rivals: rivals(of: place),
                silent: silent(on: place, spoken: spoken),
                unheard: state.members.map(\.device).filter { member in
                    !holders.contains { $0.device == member }
                }, holders: holders)
        }
    }

    /// The last words of those that spoke and are not counted.
    private func uncounted(
        _ statements: [Statements.Statement], _ judged: Verdict.Restriction
    ) -> OrderedTable<DeviceID, Bool> {
        var words = OrderedTable<DeviceID, Bool>()
        for statement in statements {
            let device = graph.names[graph.nodes[statement.record].author]
            if state.verdict.recoveryKeys.contains(device) { continue }
            if !judged.yes.contains(device), !judged.no.contains(device) {
                words[device] = statement.isYes
            }
        }
        return words
    }

    /// The word of a device on a restriction: true for it, false against it, nil for none yet.
    package func word(of device: DeviceID, on record: MemberRecordID) -> Bool? {
        guard let place = graph.place(of: record) else { return nil }
        return Statements(graph).all[place]?.last {
            graph.names[graph.nodes[$0.record].author] == device
        }?.isYes
    }

    private func rivals(of place: Int) -> [MemberRecordID] {
        let node = graph.nodes[place]
        guard node.target != node.author else { return [] }
        return graph.restrictions.filter { other in
            graph.nodes[other].author == node.target && graph.nodes[other].target == node.author
                && graph.isConcurrent(other, place)
        }.map { graph.nodes[$0].id }
    }

    /// The members that were ever let write, did not speak and are no party to it. A leave, and a
    /// lower role for oneself, needs no votes.
    private func silent(on place: Int, spoken: [Int]) -> [DeviceID] {
        let node = graph.nodes[place]
        guard node.target != node.author, !isByKey(node) else { return [] }
        return state.members.map(\.device).filter { member in
            guard let number = graph.number(of: member), state.writers.contains(member) else {
                return false
            }
            return number != node.target && !spoken.contains(number)
        }
    }

    private func isByKey(_ node: RecordGraph.Node) -> Bool {
        state.verdict.recoveryKeys.contains(graph.names[node.author])
    }

    /// The removal or leave that took a device out; nil for a member, and for a device that never
    /// was one or went along with another one.
    package func last(of device: DeviceID) -> Removal? {
        guard state.member(device) == nil else { return nil }
        return all.first { $0.device == device && $0.stands }
            ?? all.first { $0.stands && $0.with.contains(device) }
    }

    /// True when a record, be it void, lets in the device that proves itself by this handshake key.
    package func haveAdmitted(noiseKey: Bytes32) -> Bool {
        log.records.contains { record in
            switch record.payload {
            case .genesis(let payload): payload.creator.noiseKey == noiseKey
            case .add(let payload): payload.certificate.noiseKey == noiseKey
            default: false
            }
        }
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
