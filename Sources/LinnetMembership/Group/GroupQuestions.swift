package import LinnetWire

/// A record about the group that another device signed, and of which a person is asked whether it
/// was she.
package struct GroupQuestion: Equatable, Sendable {
    /// The thing that a record did.
    package enum Matter: Equatable, Sendable {
        /// It let a device in, which this device does not accept yet.
        case admission
        /// It took a device out, for a stated reason; see ``RemovePayload/Reason``.
        case removal(reason: UInt8)
        /// It gave a device a lower role.
        case role(Role)
    }

    /// The record.
    package let record: MemberRecordID
    /// The device that signed it, or the recovery key.
    package let author: DeviceID
    /// True when a recovery key signed it.
    package let isByRecovery: Bool
    /// The device that it is about.
    package let device: DeviceID
    /// The thing that it did.
    package let matter: Matter

    /// Joins the facts.
    package init(
        record: MemberRecordID, author: DeviceID, isByRecovery: Bool, device: DeviceID,
        matter: Matter
    ) {
        (self.record, self.author, self.isByRecovery) = (record, author, isByRecovery)
        (self.device, self.matter) = (device, matter)
    }
}

/// The questions that a group's records put to the person at one device.
package struct GroupQuestions {
    private let graph: RecordGraph
    private let state: MembershipState

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { (graph, state) = (log.graph, log.state) }

    /// Returns the questions to a device: of members that it does not accept, and of removals and
    /// lower roles that stand, in this order. What it was told when it was admitted is none.
    package func all(for device: DeviceID) -> [GroupQuestion] {
        guard let number = graph.number(of: device) else { return [] }
        return admissions(for: number) + restrictions(for: number)
    }

    /// Returns those of some questions to a device that never stand again: about devices that it
    /// accepts, which nothing takes back.
    package func over(_ records: [MemberRecordID], for device: DeviceID) -> [MemberRecordID] {
        guard let number = graph.number(of: device) else { return [] }
        var acceptance = Acceptance(graph)
        let accepted = acceptance.accepted(by: number)
        return records.filter { record in
            guard let place = graph.place(of: record), let target = graph.nodes[place].target
            else { return false }
            switch graph.nodes[place].payload {
            case .genesis, .add: return accepted.contains(target)
            default: return false
            }
        }
    }

    private func admissions(for device: Int) -> [GroupQuestion] {
        guard let member = state.member(graph.names[device]), member.role != .relay else {
            return []
        }
        var acceptance = Acceptance(graph)
        let accepted = acceptance.accepted(by: device)
        return state.members.compactMap { other in
            guard let number = graph.number(of: other.device), !accepted.contains(number),
                let place = graph.place(of: other.admission)
            else { return nil }
            return question(place, about: number, .admission)
        }
    }

    private func restrictions(for device: Int) -> [GroupQuestion] {
        let introductions = graph.adds[device]
        return graph.restrictions.compactMap { place in
            let node = graph.nodes[place]
            guard let target = node.target, target != node.author, node.author != device,
                state.verdict.restrictions[node.id]?.stands == true,
                !introductions.contains(where: { graph.isBefore(place, $0) })
            else { return nil }
            switch node.payload {
            case .remove(let payload):
                return question(place, about: target, .removal(reason: payload.reason))
            case .role(let payload): return question(place, about: target, .role(payload.role))
            default: return nil
            }
        }
    }

    private func question(
        _ place: Int, about device: Int, _ matter: GroupQuestion.Matter
    ) -> GroupQuestion {
        let node = graph.nodes[place]
        return GroupQuestion(
            record: node.id, author: graph.names[node.author],
            isByRecovery: state.verdict.recoveryKeys.contains(graph.names[node.author]),
            device: graph.names[device], matter: matter)
    }
}
