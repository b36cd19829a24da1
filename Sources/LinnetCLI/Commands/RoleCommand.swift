import Linnet
import LinnetControl
import LinnetWire

/// `linnet role`: gives a device another role.
enum RoleCommand {
    static let command = Command(
        "role", words: "DEVICE admin|member|reader|relay",
        summary: "Give a device another role: what it may do in the group.",
        details: """
            An admin reads, writes, admits and removes; a member reads and writes; a reader reads;
            a relay passes on what it cannot read. DEVICE is a name that 'linnet status' shows, or
            the beginning of an identifier. What a device wrote before it became a reader or relay
            goes on to count, as far as this device holds it; 'linnet late' lists the rest.
            """,
        options: [Option("dry-run", nil, "say what would happen, and change nothing")],
        example: "role Laptop admin", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("DEVICE", "admin|member|reader|relay")
        guard DeviceRole(rawValue: words[1]) != nil else {
            throw .usage("a role is one of admin, member, reader, relay")
        }
        let isTrial = invocation.arguments.has("dry-run")
        let plan = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let plan = try await gateway.ask(RolePlanRequest(words[0], role: words[1]))
            if !isTrial { try await gateway.ask(RoleRequest(words[0], role: words[1])) }
            return plan
        }
        invocation.output.result(
            [
                "device": .text(plan.device.id), "name": .text(plan.device.name),
                "before": .text(plan.before), "after": .text(plan.after),
                "changed": .bool(!isTrial && plan.before != plan.after),
                "batchesKept": .integer(plan.batchesKept),
                "unheard": .array(plan.unheard.map { .text($0.id) }),
            ], text(plan, isDone: !isTrial))
    }

    private static func text(_ plan: ControlRolePlan, isDone: Bool) -> String {
        let label = RemovalText.label(plan.device)
        if plan.before == plan.after { return "\(label) has the role \(plan.after) already." }
        var lines = [
            isDone
                ? "\(label) was \(plan.before) and has the role \(plan.after) now."
                : "\(label) is \(plan.before) and would have the role \(plan.after);"
                    + " nothing was changed."
        ]
        let writes = plan.after == "admin" || plan.after == "member"
        if !writes {
            let kept = plan.batchesKept
            lines.append(
                "\(Plural.batches(kept)) that it wrote and that \(kept == 1 ? "is" : "are") here"
                    + " \(kept == 1 ? "goes" : "go") on to count; what it wrote beside counts"
                    + " nowhere.")
        }
        if plan.after == "relay" {
            lines.append("It can go on to read what it has, and gets no more keys to read with.")
        }
        if !plan.unheard.isEmpty {
            lines.append(
                "Not connected now, to hear of it later: \(RemovalText.list(plan.unheard)).")
        }
        return lines.joined(separator: "\n")
    }
}
