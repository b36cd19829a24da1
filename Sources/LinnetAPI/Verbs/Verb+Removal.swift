import Linnet
import LinnetControl
import LinnetWire

// The verbs that take devices out of the group, and those about what other devices did to it.
extension Verb {
    static let removalVerbs: [Verb] = [
        Verb("removal-plan") { (call) async throws(ControlFailure) in
            let device = try call.members.text("device")
            return plan(try await call.gateway.ask(RemovalPlanRequest(device)))
        },
        Verb("remove", isWrite: true) { (call) async throws(ControlFailure) in
            let reason = try call.members.text("reason")
            let reasons = ["lost", "sold", "broken", "mine"]
            guard reasons.contains(reason) else {
                throw .usage("'reason' is one of \(reasons.joined(separator: ", "))")
            }
            let request = RemovalRequest(
                try call.members.text("device"), reason: reason,
                with: try call.members.texts("with"),
                wipes: try call.members.flag("wipe", usual: false))
            _ = try await call.gateway.ask(request)
            return try await removals(call.gateway)
        },
        Verb("removals") { (call) async throws(ControlFailure) in
            try await removals(call.gateway)
        },
        Verb("late") { (call) async throws(ControlFailure) in
            let request = LateWritesRequest(
                withDropped: try call.members.flag("dropped", usual: false))
            return ["late": .array(try await call.gateway.ask(request).map(LateText.json))]
        },
        Verb("late-choose", isWrite: true) { (call) async throws(ControlFailure) in
            let request = LateChoiceRequest(
                device: try call.members.text("device"),
                accepts: try call.members.flag("accept", usual: nil),
                chain: try call.members.optionalText("chain") ?? "",
                through: try call.members.optionalWhole("through", in: 1...UInt64.max))
            return ["batches": .integer(try await call.gateway.ask(request))]
        },
        Verb("questions") { (call) async throws(ControlFailure) in
            try await questions(
                call.gateway, answered: try call.members.flag("answered", usual: false))
        },
        Verb("question-answer", isWrite: true) { (call) async throws(ControlFailure) in
            let request = QuestionAnswerRequest(
                record: try call.members.text("record"),
                isOwn: try call.members.flag("own", usual: nil))
            _ = try await call.gateway.ask(request)
            return try await questions(call.gateway, answered: false)
        },
    ]

    private static func removals(_ gateway: Gateway) async throws(ControlFailure) -> JSON {
        let removals = try await gateway.ask(RemovalsRequest())
        return ["removals": .array(removals.map { RemovalText.json($0) })]
    }

    private static func questions(
        _ gateway: Gateway, answered: Bool
    ) async throws(ControlFailure) -> JSON {
        let found = try await gateway.ask(QuestionsRequest(withAnswered: answered))
        return ["questions": .array(found.map(QuestionText.json))]
    }

    private static func plan(_ plan: ControlRemovalPlan) -> JSON {
        func devices(_ devices: [ControlDevice]) -> JSON {
            .array(devices.map { ["device": .text($0.id), "name": .text($0.name)] })
        }
        return [
            "device": .text(plan.device.id), "name": .text(plan.device.name),
            "helpers": devices(plan.helpers), "unheard": devices(plan.unheard),
            "batchesKept": .integer(plan.batchesKept), "keysHeld": .integer(plan.keysHeld),
            "batchesReadable": .integer(plan.batchesReadable),
            "lateBatches": .integer(plan.lateBatches),
        ]
    }
}
