import Linnet
import LinnetAPI
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
            With --scopes a member or reader gets the keys of these scopes alone, and with
            --scopes all of everything again; without, it stays bound as it is.
            """,
        options: [
            Option("scopes", "NAMES", "the scopes that it may read, as in log,meds, or all"),
            Option("dry-run", nil, "say what would happen, and change nothing"),
        ],
        example: "role Laptop admin", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("DEVICE", "admin|member|reader|relay")
        guard DeviceRole(rawValue: words[1]) != nil else {
            throw .usage("a role is one of admin, member, reader, relay")
        }
        let scopes = try ScopesOption.read(invocation.arguments)
        let isTrial = invocation.arguments.has("dry-run")
        let plan = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let plan = try await gateway.ask(
                RolePlanRequest(words[0], role: words[1], scopes: scopes))
            if !isTrial {
                try await gateway.ask(RoleRequest(words[0], role: words[1], scopes: scopes))
            }
            return plan
        }
        invocation.output.result(
            [
                "device": .text(plan.device.id), "name": .text(plan.device.name),
                "before": .text(plan.before), "after": .text(plan.after),
                "scopesBefore": .text(plan.scopes.before), "scopesAfter": .text(plan.scopes.after),
                "changed": .bool(!isTrial && isChange(plan)),
                "batchesKept": .integer(plan.batchesKept),
                "unheard": .array(plan.unheard.map { .text($0.id) }),
            ], text(plan, isDone: !isTrial))
    }

    private static func isChange(_ plan: ControlRolePlan) -> Bool {
        plan.before != plan.after || plan.scopes.before != plan.scopes.after
    }

    /// A role with the scopes to which it is bound.
    private static func role(_ role: String, _ scopes: String) -> String {
        scopes == "all" ? role : "\(role) of \(scopes)"
    }

    private static func text(_ plan: ControlRolePlan, isDone: Bool) -> String {
        let label = RemovalText.label(plan.device)
        let before = role(plan.before, plan.scopes.before)
        let after = role(plan.after, plan.scopes.after)
        guard isChange(plan) else { return "\(label) has the role \(after) already." }
        var lines = [
            isDone
                ? "\(label) had the role \(before) and has the role \(after) now."
                : "\(label) has the role \(before) and would have the role \(after);"
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
        if plan.scopes.after != "all", plan.scopes.after != plan.scopes.before {
            lines.append(
                "It gets the keys of these scopes alone; what it has of others, it can go on to"
                    + " read.")
        }
        if !plan.unheard.isEmpty {
            lines.append(
                "Not connected now, to hear of it later: \(RemovalText.list(plan.unheard)).")
        }
        return lines.joined(separator: "\n")
    }
}
