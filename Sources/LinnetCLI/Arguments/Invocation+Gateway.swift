package import Linnet
import LinnetAPI
package import LinnetCRDT
package import LinnetControl
import LinnetMedication

extension Invocation {
    /// Opens the home, lets `body` use it, and closes it again whether or not `body` throws.
    package func withGateway<Result>(
        _ body: (Gateway) async throws(ControlFailure) -> Result
    ) async throws(ControlFailure) -> Result {
        let gateway = try await openGateway()
        do throws(ControlFailure) {
            let result = try await body(gateway)
            await tellDamage(gateway)
            await gateway.close()
            return result
        } catch {
            await gateway.close()
            throw error
        }
    }

    /// Opens the home and reads the words by its schema before `body` uses both.
    ///
    /// The failure says why the home does not open. If there is none at all, it also tells of a
    /// mistake in the words, as far as the built-in collections show it.
    package func withGateway<Words, Result>(
        parsing parse: (Schema) throws(ControlFailure) -> Words,
        _ body: (Gateway, Words) async throws(ControlFailure) -> Result
    ) async throws(ControlFailure) -> Result {
        let gateway: Gateway
        do throws(ControlFailure) {
            gateway = try await openGateway()
        } catch {
            throw isHomeMissing ? Self.mistake(parse, beside: error) : error
        }
        do throws(ControlFailure) {
            let words = try await gateway.reading(parse)
            let result = try await body(gateway, words)
            await tellDamage(gateway)
            await gateway.close()
            return result
        } catch {
            await gateway.close()
            throw error
        }
    }
}

extension Invocation {
    /// Names the records that were found damaged, on standard error.
    private func tellDamage(_ gateway: Gateway) async {
        for warning in await gateway.damageFound() {
            output.note("warning: " + TerminalText.neutral(warning.description))
        }
    }

    private var isHomeMissing: Bool {
        do throws(HomeError) {
            _ = try Home.open(at: home)
            return false
        } catch {
            if case .missing = error { return true }
            return false
        }
    }

    /// Returns the mistake in the words together with the reason why the home did not open; that
    /// reason alone when the words are right.
    private static func mistake<Words>(
        _ parse: (Schema) throws(ControlFailure) -> Words, beside problem: ControlFailure
    ) -> ControlFailure {
        do throws(ControlFailure) {
            _ = try parse(.demonstration)
            return problem
        } catch {
            return ControlFailure(
                error.kind,
                error.message + "\nOnly the built-in collections were checked: " + problem.message)
        }
    }

    /// Opens the home. It asks for the passphrase when the home has one and no node has it open.
    ///
    /// - Parameter tells: true to tell the person of warnings that no command has told yet.
    func openGateway(tells: Bool = true) async throws(ControlFailure) -> Gateway {
        let gateway = try await Gateway.open(home) { (tries) throws(ControlFailure) in
            try passphrase(tries)
        }
        if tells { tell(await gateway.untoldWarnings()) }
        return gateway
    }

    /// Tells warnings on standard error, beside the result.
    func tell(_ warnings: [ControlWarning]) {
        let now = SystemClock.now().wallMilliseconds
        for warning in warnings {
            output.note("linnet: " + WarningText.lines(warning, now: now))
        }
    }
}

extension Gateway {
    /// Returns the warnings that no command has told yet. There are none when the node went away
    /// meanwhile: the command itself finds that out.
    func untoldWarnings() async -> [ControlWarning] {
        do throws(ControlFailure) {
            return try await ask(WarningsRequest())
        } catch {
            return []
        }
    }

    /// Reads the words by the home's schema. A home that waits for its group's schema knows the
    /// devices alone; for other words the failure says that it waits, not that there is no such
    /// collection.
    fileprivate func reading<Words>(
        _ parse: (Schema) throws(ControlFailure) -> Words
    ) async throws(ControlFailure) -> Words {
        do throws(ControlFailure) {
            return try parse(try await schemaFile().schema)
        } catch {
            guard error == ControlFailure(.schemaUnknown) else { throw error }
            do throws(ControlFailure) {
                return try parse(.unknown)
            } catch {
                throw ControlFailure(.schemaUnknown)
            }
        }
    }

    /// The records of a collection, each as it was when its page was read; `tell` is told how many
    /// were read, and how many were taken over.
    package func records(
        of collection: Collection, tell: (ReadingReport) -> Void = { _ in }
    ) async throws(ControlFailure) -> [RecordView] {
        var all: [RecordView] = []
        var report = ReadingReport()
        try await converse(ListRequest(collection.id)) { progress in
            report.take(progress)
            tell(report)
        } _: { (records) throws(ControlFailure) in
            all += records
            report.take(over: records.count)
            tell(report)
            return nil
        }
        return all
    }
}
