import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet recovery use`: removes lost devices with the words, here or after making a new device
/// out of a copy.
enum RecoveryUse {
    static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let lost = arguments.values(RecoveryCommand.lost.name)
        guard !lost.isEmpty else {
            throw .usage(
                "say which devices are lost, with --lost DEVICE for each, --lost all or --lost none"
            )
        }
        let isSpecial = lost.contains("all") || lost.contains("none")
        guard lost.count == 1 || !isSpecial else {
            throw .usage("--lost all and --lost none stand alone")
        }
        guard !arguments.has("from") || !arguments.has("mailbox") else {
            throw .usage("--from and --mailbox exclude each other")
        }
        if !arguments.has("mailbox") {
            try MailboxAccount.refuse(arguments, for: "--mailbox")
        }
        if let copy = arguments.value("from") {
            try await recover(from: copy, lost: lost, invocation)
        } else if let address = arguments.value("mailbox") {
            try await RecoveryByMailbox.run(address, lost: lost, invocation)
        } else {
            for option in ["name", "kind"] where arguments.has(option) {
                throw .usage("--\(option) belongs to --from or --mailbox")
            }
            guard lost != ["none"] else {
                throw .usage(
                    "without --from or --mailbox there is nothing to do when no device is lost")
            }
            let phrase = try TypedWords.present(invocation)
            try await remove(lost, phrase, invocation)
            invocation.output.result(["recovery": "used"], "The lost devices are out for good.")
        }
    }

    private static func recover(
        from copy: String, lost: [String], _ invocation: Invocation
    ) async throws(ControlFailure) {
        let (name, kind) = try DeviceOptions.read(invocation.arguments)
        let passphrase = try DeviceOptions.passphrase(invocation.arguments)
        let phrase = try TypedWords.present(invocation)
        let output = invocation.output
        output.say("Reading \(TerminalText.neutral(copy)); the words are tried first.")
        let found: RecoveredGroup
        do throws(LinnetError) {
            found = try await Node.recover(
                at: invocation.home, from: FilePath.absolute(copy), phrase: phrase,
                device: .joining(name: name, kind: kind), passphrase: passphrase)
        } catch {
            throw ControlFailure(error)
        }
        if lost != ["none"] { try await remove(lost, phrase, invocation) }
        let status = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(StatusRequest())
        }
        let others = others(in: status)
        output.result(
            [
                "recovery": "recovered", "name": .text(name), "batches": .integer(found.batches),
                "refused": .integer(found.refused),
                "members": .array(others.map { .text($0.device.description) }),
            ], text(found, name: name, others: others))
    }

    private static func text(
        _ found: RecoveredGroup, name: String, others: [ControlStatus.Member]
    ) -> String {
        var lines = [
            "\(TerminalText.neutral(name)) belongs to the group, with"
                + " \(Plural.batches(found.batches)) of the copy."
        ]
        if found.refused > 0 {
            lines.append(
                "\(Plural.batches(found.refused)) of it are damaged or of nobody in the group, and"
                    + " are not here.")
        }
        return (lines + [text(ofOthers: others)]).joined(separator: "\n")
    }

    static func others(in status: ControlStatus) -> [ControlStatus.Member] {
        status.members.filter { !$0.isSelf }
    }

    /// A sentence about the other devices of the group.
    static func text(ofOthers others: [ControlStatus.Member]) -> String {
        let names = others.map { member in
            member.name.isEmpty
                ? "device \(member.device.description.prefix(8))"
                : TerminalText.neutral(member.name)
        }
        return names.isEmpty
            ? "No other device belongs to it now: 'linnet pair' adds one."
            : "Others that belong to it: \(names.joined(separator: ", "))."
    }

    /// Takes the lost devices out.
    static func remove(
        _ lost: [String], _ phrase: Passphrase, _ invocation: Invocation
    ) async throws(ControlFailure) {
        let request = RecoveryUseRequest(
            phrase: phrase, lost: lost == ["all"] ? [] : lost, isAll: lost == ["all"])
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(request)
        }
    }
}
