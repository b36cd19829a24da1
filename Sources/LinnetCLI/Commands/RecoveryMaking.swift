import Linnet
import LinnetAPI
import LinnetControl

/// `linnet recovery create` and `replace`: shows new words before they count, so that nobody's
/// words can be lost on the way to the screen.
enum RecoveryMaking {
    static func create(_ invocation: Invocation) async throws(ControlFailure) {
        let state = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RecoveryStatusRequest())
        }
        if state.madeMilliseconds != nil { throw ControlFailure(.recovery(.made)) }
        guard state.isMakerHere else { throw ControlFailure(.recovery(.noKeyHere)) }
        try await make(invocation, instead: nil)
    }

    static func replace(_ invocation: Invocation) async throws(ControlFailure) {
        let old = try TypedWords.present(invocation)
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RecoveryPhraseRequest(phrase: old, next: nil))
        }
        try await make(invocation, instead: old)
    }

    private static func make(
        _ invocation: Invocation, instead old: Passphrase?
    ) async throws(ControlFailure) {
        let next: Passphrase
        var drawn: [String] = []
        if let chosen = try TypedWords.chosen(invocation) {
            next = chosen
            invocation.output.note(
                "warning: words that a person chooses can be guessed by whoever has a copy of any"
                    + " device; seven that are drawn cannot. No device leaves a door for them in a"
                    + " mailbox: to come back needs a backup")
        } else {
            drawn = try words()
            guard let phrase = Passphrase(drawn.joined(separator: " ")) else {
                throw .failed("no words could be drawn")
            }
            next = phrase
            invocation.output.result(
                ["recovery": "drawn", "words": .array(drawn.map(JSON.text))],
                "Write these seven words down, on paper:\n\n    \(drawn.joined(separator: " "))\n")
        }
        // A page that cannot be written must not be found out about afterwards.
        if invocation.arguments.has("svg") {
            try await RecoverySheet.write(next, invocation)
        }
        let request = RecoveryPhraseRequest(phrase: old, next: next)
        do throws(ControlFailure) {
            _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
                try await gateway.ask(request)
            }
        } catch {
            if !drawn.isEmpty {
                invocation.output.note("the words above count for nothing: strike them out")
            }
            throw error
        }
        invocation.output.result(
            ["recovery": .text(old == nil ? "created" : "replaced")],
            old == nil
                ? "They are the group's recovery words now. 'linnet recovery test' proves later"
                    + " that the paper is right."
                : "They are the group's recovery words now; the old ones open nothing new.")
    }

    private static func words() throws(ControlFailure) -> [String] {
        do {
            return try Node.drawRecoveryWords()
        } catch {
            throw ControlFailure(error)
        }
    }
}
