package import Linnet
package import LinnetControl
import LinnetSystem
import LinnetWire

/// Writes the state of a node and its group for programs.
package enum StatusText {
    /// Returns the state of a node as an object; `lacks` and `connections` say more of each device.
    package static func json(
        _ status: ControlStatus, lacks: [ControlLack],
        _ connections: ControlConnections? = nil
    ) -> JSON {
        [
            "running": .bool(status.isRunning), "locked": .bool(status.isLocked),
            "port": status.port.map(JSON.integer) ?? .null,
            "discovery": .text(status.discovery),
            "newcomer": .bool(status.isNewcomer),
            "devices": .array(
                status.members.map { member in
                    json(member, connections).with(
                        "lacks", LackText.json(lacks.first { $0.device == member.device }))
                }),
            "waiting": .array(status.waiting.map(JSON.text)),
            "warnings": .array(status.warnings.map(WarningText.json)),
            "batches": .integer(status.batches), "batchBytes": .integer(status.batchBytes),
            "companionLink": status.companionLink.map(json) ?? .null,
            "removals": .array(status.removals.map(RemovalText.json)),
            "lateBatches": .integer(status.lateBatches),
            "questions": .array(status.questions.map(QuestionText.json)),
            "recovery": status.recovery.map(json) ?? .null,
        ]
    }

    private static func json(_ link: CompanionLinkStatus) -> JSON {
        [
            "side": .text(link.side), "present": .bool(link.isPresent),
            "reachable": .bool(link.isReachable), "sent": json(link.traffic.sent),
            "received": json(link.traffic.received),
        ]
    }

    private static func json(_ direction: CompanionTraffic.Direction) -> JSON {
        [
            "frames": .integer(direction.frames), "bytes": .integer(direction.bytes),
            "wakes": .integer(direction.wakes),
        ]
    }

    private static func json(
        _ member: ControlStatus.Member, _ connections: ControlConnections?
    ) -> JSON {
        guard let connections, case .object(let members) = json(member) else {
            return json(member)
        }
        let link = connections.links.filter { $0.device == member.device }
            .max { $0.sinceMilliseconds < $1.sinceMilliseconds }
        let clock = connections.clocks.first { $0.device == member.device }
        return .object(
            members + [
                JSON.Member("over", link.map { .text($0.way) } ?? .null),
                JSON.Member(
                    "connectedSinceMilliseconds",
                    link.map { .integer($0.sinceMilliseconds) } ?? .null),
                JSON.Member("bytesIn", link.map { .integer($0.bytesReceived) } ?? .null),
                JSON.Member("bytesOut", link.map { .integer($0.bytesSent) } ?? .null),
                JSON.Member(
                    "clockAheadMilliseconds",
                    clock.map { .integer($0.aheadMilliseconds) } ?? .null),
                JSON.Member("clockBelieved", clock.map { .bool(!$0.isOff) } ?? .null),
                JSON.Member(
                    "clockMetMilliseconds", clock.map { .integer($0.metMilliseconds) } ?? .null),
            ])
    }

    private static func json(_ member: ControlStatus.Member) -> JSON {
        [
            "device": .text(member.device.description), "name": .text(member.name),
            "kind": .text(member.kind), "role": .text(member.role),
            "scopes": member.scopes.map(JSON.text) ?? .null,
            "self": .bool(member.isSelf), "connected": .bool(member.isConnected),
            "lastHeardMilliseconds": member.lastHeardMilliseconds.map(JSON.integer) ?? .null,
            "behindBatches": member.behindBatches.map(JSON.integer) ?? .null,
            "agreedMilliseconds": member.agreedMilliseconds.map(JSON.integer) ?? .null,
            "recordsToday": .integer(member.amounts.recordsToday),
            "batchesToday": .integer(member.amounts.batchesToday),
            "bytesToday": .integer(member.amounts.bytesToday),
            "batchesHeld": .integer(member.amounts.batchesHeld),
            "bytesHeld": .integer(member.amounts.bytesHeld),
        ]
    }

    /// Returns the state of the recovery words as an object.
    package static func json(_ state: ControlRecovery) -> JSON {
        [
            "possible": .bool(state.isPossible), "makerHere": .bool(state.isMakerHere),
            "madeMilliseconds": state.madeMilliseconds.map(JSON.integer) ?? .null,
            "testedMilliseconds": state.testedMilliseconds.map(JSON.integer) ?? .null,
            "doors": .bool(state.opensDoors), "testDue": .bool(state.isTestDue),
        ]
    }

    /// Returns a digest and the version vector as an object.
    package static func json(_ digest: ControlDigest) -> JSON {
        let vector = digest.vector.map { entry in
            JSON.object([
                JSON.Member("scope", .text(entry.scope.description)),
                JSON.Member("device", .text(entry.device.description)),
                JSON.Member("incarnation", .text(entry.incarnation.description)),
                JSON.Member("sequence", .integer(entry.sequence)),
                JSON.Member("head", .text(entry.head.description)),
            ])
        }
        return ["digest": .text(digest.digest.description), "vector": .array(vector)]
    }

    /// Returns a finding of a look for faults as an object.
    package static func json(_ finding: HealthFinding) -> JSON {
        [
            "check": .text(finding.check), "state": .text(finding.state.rawValue),
            "finding": .text(finding.text),
            "remedy": finding.remedy.map(JSON.text) ?? .null,
        ]
    }
}
