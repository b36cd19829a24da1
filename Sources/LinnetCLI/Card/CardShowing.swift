import Linnet
import LinnetAPI
import LinnetControl
import LinnetSystem
import LinnetWire

/// `linnet card show`: reads a card from files alone; it opens no home and no socket.
enum CardShowing {
    /// The most bytes of a file that is read: a page has less.
    static let fileLimitBytes = 1 << 20

    static func show(_ paths: [String], _ invocation: Invocation) throws(ControlFailure) {
        guard !paths.isEmpty else { throw .usage("missing argument FILE") }
        guard paths.count <= Limits.cardParts else {
            throw .usage("a card has at most \(Limits.cardParts) parts")
        }
        var text: [UInt8] = []
        for path in paths {
            let bytes = try FileText.read(path, upTo: fileLimitBytes)
            if EmergencyCard.isSealed(bytes), paths.count > 1 {
                throw .usage("\(TerminalText.neutral(path)) is a whole card: show it alone")
            }
            text += bytes + (paths.count > 1 ? [0x0a] : [])
        }
        let card = try read(text, invocation)
        let now = SystemClock.now().wallMilliseconds
        if card.isExpired(atMilliseconds: now), !invocation.arguments.has("expired") {
            throw .failed(
                "the card expired \(Ago.words(now - card.expiresMilliseconds)), at"
                    + " \(CardTime.text(card.expiresMilliseconds)): what it says may no longer"
                    + " hold. Show it all the same with --expired.")
        }
        invocation.output.result(json(card, now: now), self.text(card, now: now))
    }

    private static func read(
        _ bytes: [UInt8], _ invocation: Invocation
    ) throws(ControlFailure) -> EmergencyCard {
        do throws(CardError) {
            return try EmergencyCard(reading: bytes)
        } catch {
            guard error == .passphraseNeeded else { throw ControlFailure(error) }
        }
        let passphrase = try passphrase(invocation.arguments)
        do throws(CardError) {
            return try EmergencyCard(reading: bytes, passphrase: passphrase)
        } catch {
            throw ControlFailure(error)
        }
    }

    /// There is no home here whose passphrase the common option could mean.
    private static func passphrase(_ arguments: Arguments) throws(ControlFailure) -> Passphrase {
        let path =
            arguments.value(CardCommand.passphraseFile.name)
            ?? arguments.value(Option.passphraseFile.name)
        if let path { return try PassphraseInput.read(file: path) }
        return try PassphraseInput.ask(
            "Passphrase of the card: ", option: CardCommand.passphraseFile.name)
    }

    // MARK: Showing

    static func text(_ card: EmergencyCard, now: Int64) -> String {
        let made = CardTime.text(card.issuedMilliseconds)
        let until = CardTime.text(card.expiresMilliseconds)
        var lines = [
            card.title.isEmpty
                ? "Emergency card" : "Emergency card: \(TerminalText.neutral(card.title))"
        ]
        if card.isExpired(atMilliseconds: now) {
            let ago = Ago.words(now - card.expiresMilliseconds)
            lines.append("EXPIRED \(ago), at \(until): what it says may no longer hold")
        }
        lines += [
            "made \(made), to be relied on until \(until)"
                + (card.issuedMilliseconds > now ? " (this device's clock is before that)" : ""),
            "signed by the key \(card.fingerprint.joined(separator: " "));"
                + " whether that is who you think is not known",
        ]
        for scope in card.scopes {
            lines += ["", TerminalText.neutral(scope.name)]
            if scope.sections.isEmpty { lines.append("  (no records)") }
            for section in scope.sections {
                let name = TerminalText.neutral(section.name)
                for entry in section.entries {
                    lines.append("  \(name)/\(TerminalText.neutral(entry.id))")
                    lines += entry.fields.map {
                        "    \(TerminalText.neutral($0.name)) = \(TerminalText.neutral($0.text))"
                    }
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ card: EmergencyCard, now: Int64) -> JSON {
        [
            "title": .text(card.title), "group": .text(card.group), "device": .text(card.device),
            "fingerprint": .array(card.fingerprint.map(JSON.text)),
            "issuedMilliseconds": .integer(card.issuedMilliseconds),
            "expiresMilliseconds": .integer(card.expiresMilliseconds),
            "expired": .bool(card.isExpired(atMilliseconds: now)),
            "scopes": .array(card.scopes.map(json)),
        ]
    }

    private static func json(_ scope: EmergencyCard.Scope) -> JSON {
        var records: [JSON] = []
        for section in scope.sections {
            for entry in section.entries {
                let fields: [JSON] = entry.fields.map {
                    ["name": .text($0.name), "text": .text($0.text)]
                }
                records.append([
                    "collection": .text(section.name), "id": .text(entry.id),
                    "fields": .array(fields),
                ])
            }
        }
        return ["scope": .text(scope.name), "records": .array(records)]
    }
}
