import Linnet
import LinnetAPI
import LinnetControl
import LinnetCrypto
import LinnetWire

/// `linnet keys`: shows the fingerprints of the group's devices, for two people to compare.
enum KeysCommand {
    static let command = Command(
        "keys", summary: "Show each device's key as six words that two people can compare.",
        details: """
            Read the words of your device aloud, or let the other one type them after --compare:
            the same six words on both screens mean the same key. They say nothing about whose
            device it is; that is for the two of you.
            """,
        options: [
            Option("compare", "WORDS", "say whose key these six words are; with spaces or commas"),
            Option("qr", nil, "draw this device's identifier as a QR code"),
        ],
        example: "keys", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        let compared = try arguments.value("compare").map {
            (text) throws(ControlFailure) in try fingerprint(in: text)
        }
        let status = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(StatusRequest())
        }
        guard !status.isLocked else {
            throw .failed("the device is locked: 'linnet unlock' opens it again")
        }
        guard !status.members.isEmpty else {
            throw .failed("this device belongs to no group yet, so there is nobody to compare with")
        }
        if let compared {
            let device = try owner(of: compared, among: status.members)
            invocation.output.result(json(device), "These are the words of \(label(device)).")
            return
        }
        for member in status.members.sorted(by: { $0.isSelf && !$1.isSelf }) {
            let words = words(member).joined(separator: " ")
            invocation.output.result(json(member), "\(label(member)): \(words)")
        }
        if arguments.has("qr"), let own = status.members.first(where: \.isSelf),
            let drawing = QRCode.drawing(of: own.device.description)
        {
            invocation.output.note("this device's identifier:\n\(drawing)", .info)
        }
    }

    /// Reads six words, however they are set apart; throws a `usage` failure for another number.
    private static func fingerprint(in text: String) throws(ControlFailure) -> [String] {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        guard words.count == Fingerprint.wordCount else {
            throw .usage(
                "--compare takes \(Fingerprint.wordCount) words, and these are \(words.count)")
        }
        return words
    }

    private static func owner(
        of fingerprint: [String], among members: [ControlStatus.Member]
    ) throws(ControlFailure) -> ControlStatus.Member {
        guard let member = members.first(where: { words($0) == fingerprint }) else {
            throw .failed(
                "no device of this group has these words. Read them again; if they are right, the"
                    + " other screen shows a device that this group does not know")
        }
        return member
    }

    private static func words(_ member: ControlStatus.Member) -> [String] {
        Fingerprint.words(of: member.device.array)
    }

    private static func label(_ member: ControlStatus.Member) -> String {
        let name =
            member.name.isEmpty
            ? "device \(member.device.description.prefix(8))" : TerminalText.neutral(member.name)
        return member.isSelf ? "\(name) (this device)" : name
    }

    private static func json(_ member: ControlStatus.Member) -> JSON {
        [
            "device": .text(member.device.description), "name": .text(member.name),
            "self": .bool(member.isSelf), "words": .array(words(member).map(JSON.text)),
        ]
    }
}
