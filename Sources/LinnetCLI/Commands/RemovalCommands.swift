import Linnet
import LinnetAPI
import LinnetControl
import LinnetSystem
import LinnetWire

/// `linnet remove`: takes a device out of the group.
enum RemoveCommand {
    static let command = Command(
        "remove", words: "DEVICE",
        summary: "Take a device out of the group: one that is lost, sold or not yours.",
        details:
            "DEVICE is a name that 'linnet status' shows, or the beginning of an identifier.\n"
            + "The others get new keys; what the device writes from now on counts nowhere.\n"
            + "What it has read, it can read for ever.",
        options: [
            Option("reason", "WHY", "lost, sold, broken or mine; lost unless said otherwise"),
            Option("with", "DEVICES", "devices that only it admitted, which go along; with commas"),
            Option("wipe", nil, "ask it to destroy itself; it does if it hears of it"),
            Option("wait", "SECONDS", "for receipts of connected devices (default: 10)"),
            Option("dry-run", nil, "say what would happen, and change nothing"),
        ],
        example: "remove Phone --dry-run", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("DEVICE")
        let reason = invocation.arguments.value("reason") ?? "lost"
        guard RemovalReason(rawValue: reason) != nil else {
            throw .usage("--reason must be one of lost, sold, broken, mine")
        }
        let companions = (invocation.arguments.value("with") ?? "").split(separator: ",")
        let isTrial = invocation.arguments.has("dry-run")
        let wipes = invocation.arguments.has("wipe")
        let patience = try RemovalReceipt.patience(invocation.arguments)
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let plan = try await gateway.ask(RemovalPlanRequest(words[0]))
            if !isTrial {
                _ = try await gateway.ask(
                    RemovalRequest(
                        words[0], reason: reason, with: companions.map(String.init), wipes: wipes))
            }
            invocation.output.result(json(plan, isDone: !isTrial), text(plan, isDone: !isTrial))
            if wipes, !isTrial { invocation.output.say(RemovalText.courtesy) }
            if !isTrial {
                let stores = try await gateway.ask(MailboxesRequest()).map(\.address)
                    .filter(MailboxAddress.isRemote)
                if !stores.isEmpty { invocation.output.say(storeHint(stores)) }
                try await RemovalReceipt.tell(
                    of: plan, from: gateway, within: patience, invocation.output)
            }
        }
    }

    /// Says that a removal changes nothing at a store.
    private static func storeHint(_ stores: [String]) -> String {
        "An account that it has with \(stores.joined(separator: " or ")) stays: take it away"
            + " there, or change the password and tell it to each device with 'linnet mailbox add'."
    }

    private static func json(_ plan: ControlRemovalPlan, isDone: Bool) -> JSON {
        [
            "device": .text(plan.device.id), "name": .text(plan.device.name),
            "removed": .bool(isDone),
            "helpers": .array(plan.helpers.map { .text($0.id) }),
            "unheard": .array(plan.unheard.map { .text($0.id) }),
            "batchesKept": .integer(plan.batchesKept), "keysHeld": .integer(plan.keysHeld),
            "batchesReadable": .integer(plan.batchesReadable),
            "lateBatches": .integer(plan.lateBatches),
        ]
    }

    private static func text(_ plan: ControlRemovalPlan, isDone: Bool) -> String {
        let label = RemovalText.label(plan.device)
        var lines = [
            isDone
                ? "\(label) is out of the group; the others have new keys."
                : "\(label) would be out of the group, and the others would have new keys; nothing"
                    + " was changed.",
            "It can go on to read what it has: \(Plural.of(plan.keysHeld, "key")) of the group,"
                + " and as many as \(Plural.batches(plan.batchesReadable)).",
            "\(Plural.batches(plan.batchesKept)) that it wrote and that"
                + (plan.batchesKept == 1 ? " is here goes" : " are here go") + " on to count.",
        ]
        if !plan.helpers.isEmpty {
            lines.append(
                "It alone admitted \(RemovalText.list(plan.helpers)): name them in --with unless"
                    + " you know them.")
        }
        if !plan.unheard.isEmpty {
            lines.append(
                "Not connected now, to hear of it later: \(RemovalText.list(plan.unheard))."
                    + " 'linnet removals' shows who has not heard.")
        }
        if plan.lateBatches > 0 { lines.append(LateText.hint(plan.lateBatches)) }
        return lines.joined(separator: "\n")
    }
}

/// `linnet leave`: takes this device out of its group.
enum LeaveCommand {
    static let command = Command(
        "leave", summary: "Take this device out of its group; it keeps what it has.",
        details: "To come back it joins from a new home, as a new device.",
        example: "leave", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(LeaveRequest())
        }
        invocation.output.result(
            ["left": true], "This device is out of its group; it keeps what it has.")
    }
}

/// `linnet removals`: shows who was taken out of the group, and who has not heard.
enum RemovalsCommand {
    static let command = Command(
        "removals",
        summary: "Show who was removed or given a role, by whom, the votes, and who has not heard.",
        details: """
            Of two devices that remove each other, or lower each other's roles, the votes decide:
            'linnet vote' changes that of this device. Devices vote by themselves for what they
            hear of first.
            """,
        example: "removals", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let removals = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RemovalsRequest())
        }
        for removal in removals {
            invocation.output.result(
                RemovalText.json(removal),
                RemovalText.lines(removal) + RemovalText.votes(removal))
        }
        if removals.isEmpty { invocation.output.note("no device was removed", .info) }
    }
}

/// `linnet vote`: votes for or against a removal.
enum VoteCommand {
    static let command = Command(
        "vote", words: "RECORD for|against",
        summary: "Vote for or against a removal or a role, whatever this device said before.",
        details: """
            RECORD is the beginning of a record's identifier, as 'linnet removals' shows it. A
            removal that is outvoted comes to nothing: the device belongs to the group again, and
            what it wrote counts.
            """,
        example: "vote 1a2b3c4d against", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("RECORD", "for|against")
        guard words[1] == "for" || words[1] == "against" else {
            throw .usage("a vote is one of for, against")
        }
        let request = VoteRequest(record: words[0], isFor: words[1] == "for")
        let judged = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(request)
            return try await gateway.ask(RemovalsRequest()).first {
                $0.record.hasPrefix(words[0].lowercased())
            }
        }
        guard let judged else { return }
        invocation.output.result(
            RemovalText.json(judged), RemovalText.lines(judged) + RemovalText.votes(judged))
    }
}
