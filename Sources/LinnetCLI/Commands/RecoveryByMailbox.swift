import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetSystem
import LinnetWire

/// `linnet recovery use --mailbox`: makes a new device out of what the devices of the group left in
/// a mailbox, removes the lost ones, and leaves there what lets them and others know.
enum RecoveryByMailbox {
    static func run(
        _ address: String, lost: [String], _ invocation: Invocation
    ) async throws(ControlFailure) {
        let (name, kind) = try DeviceOptions.read(invocation.arguments)
        let passphrase = try DeviceOptions.passphrase(invocation.arguments)
        let account = try MailboxAccount.read(invocation.arguments, for: address)
        let phrase = try TypedWords.present(invocation)
        let output = invocation.output
        output.say("Looking for doors in \(TerminalText.neutral(address)).")
        let found: RecoveredGroup
        do throws(LinnetError) {
            found = try await Node.recover(
                at: invocation.home, fromMailbox: address, credentials: account, phrase: phrase,
                device: .joining(name: name, kind: kind), passphrase: passphrase)
        } catch {
            if case .home(.keyFileExists) = error {
                output.note(
                    "if this home comes from a recovery that was cut short, go on with"
                        + " 'linnet recovery use --lost …', then 'linnet mailbox sync'")
            }
            throw ControlFailure(error)
        }
        let now = SystemClock.now().wallMilliseconds
        output.say(date(found, now: now))
        if lost != ["none"] {
            do throws(ControlFailure) {
                try await RecoveryUse.remove(lost, phrase, invocation)
            } catch {
                output.note(
                    "the new device belongs to the group, and nobody was removed: go on with"
                        + " 'linnet recovery use --lost …', then 'linnet mailbox sync'")
                throw error
            }
        }
        let looks = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(MailboxSyncRequest(isDry: false))
        }
        let status = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(StatusRequest())
        }
        let others = RecoveryUse.others(in: status)
        let failure = looks.first?.failure
        output.result(
            [
                "recovery": "recovered", "name": .text(name), "batches": .integer(found.batches),
                "newest": found.newest.map { .integer($0.leftMilliseconds) } ?? .null,
                "newestDevice": found.newest.map { .text($0.device.id) } ?? .null,
                "findings": .array(found.findings.map(JSON.text)),
                "left": .bool(failure == nil),
                "members": .array(others.map { .text($0.device.description) }),
            ], text(found, name: name, others: others, now: now))
        if let failure {
            throw .failed(
                "nobody else can know yet, since nothing could be left in the mailbox: \(failure);"
                    + " 'linnet mailbox sync' tries again")
        }
    }

    /// A sentence that says how new the things are that lie in the mailbox.
    private static func date(_ found: RecoveredGroup, now: Int64) -> String {
        guard let newest = found.newest else { return "" }
        let name =
            newest.device.name.isEmpty
            ? "device \(newest.device.id.prefix(8))" : TerminalText.neutral(newest.device.name)
        return "The newest head there is of \(name), by its clock of"
            + " \(moment(newest.leftMilliseconds)), \(Ago.words(now - newest.leftMilliseconds));"
            + " what was written later elsewhere is not in it."
    }

    /// A time as a date and a time of day, both of UTC.
    private static func moment(_ wallMilliseconds: Int64) -> String {
        let minutes = max(0, wallMilliseconds) / 60_000
        let (hour, minute) = (minutes / 60 % 24, minutes % 60)
        return "\(CivilTime.dateText(days: minutes / 1_440)) \(hour < 10 ? "0" : "")\(hour):"
            + "\(minute < 10 ? "0" : "")\(minute) UTC"
    }

    private static func text(
        _ found: RecoveredGroup, name: String, others: [ControlStatus.Member], now: Int64
    ) -> String {
        var lines = [
            "\(TerminalText.neutral(name)) belongs to the group, with"
                + " \(Plural.batches(found.batches)) of the mailbox.",
            date(found, now: now),
        ]
        lines += found.findings.map { "In the mailbox, \($0)." }
        return (lines + [RecoveryUse.text(ofOthers: others)]).joined(separator: "\n")
    }
}
