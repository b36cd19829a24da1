package import Linnet
package import LinnetCRDT

extension Invocation {
    /// Opens the home, lets `body` use it and closes it again, whatever happens.
    package func withGateway<Result>(
        _ body: (Gateway) async throws(ControlFailure) -> Result
    ) async throws(ControlFailure) -> Result {
        let gateway = try await openGateway()
        do throws(ControlFailure) {
            let result = try await body(gateway)
            await gateway.close()
            return result
        } catch {
            await gateway.close()
            throw error
        }
    }

    /// Opens the home and reads the words by its schema before `body` uses both.
    ///
    /// A home that does not open says why it does not. Where there is none at all, a mistake in the
    /// words is told beside that, as far as the built-in collections can tell it.
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
            let words = try parse(try await gateway.schemaFile().schema)
            let result = try await body(gateway, words)
            await gateway.close()
            return result
        } catch {
            await gateway.close()
            throw error
        }
    }
}

extension Invocation {
    private var isHomeMissing: Bool {
        do throws(HomeError) {
            _ = try Home.open(at: home)
            return false
        } catch {
            if case .missing = error { return true }
            return false
        }
    }

    /// The mistake in the words, with why the home did not open; that alone when there is none.
    private static func mistake<Words>(
        _ parse: (Schema) throws(ControlFailure) -> Words, beside problem: ControlFailure
    ) -> ControlFailure {
        do throws(ControlFailure) {
            _ = try parse(.demonstration)
            return problem
        } catch {
            return ControlFailure(
                error.kind,
                error.message + "\nOnly the built-in collections were asked: " + problem.message)
        }
    }

    /// Opens the home, after asking for its passphrase when it has one and no node has it open.
    func openGateway() async throws(ControlFailure) -> Gateway {
        try await Gateway.open(home) { (tries) throws(ControlFailure) in try passphrase(tries) }
    }
}

extension Gateway {
    /// The collections that the home keeps.
    package func schemaFile() async throws(ControlFailure) -> SchemaFile {
        var text = ""
        try await perform(.schema) { (response) throws(ControlFailure) in
            if case .schema(let given) = response { text = given }
            return nil
        }
        do throws(SchemaFile.Failure) {
            return try SchemaFile(reading: Array(text.utf8))
        } catch {
            throw .failed("the home's schema cannot be read: \(error)")
        }
    }

    /// The records of a collection; `tell` is told how many have arrived.
    package func records(
        of collection: Collection, tell: (Int) -> Void = { _ in }
    ) async throws(ControlFailure) -> [ControlRecord] {
        var all: [ControlRecord] = []
        try await perform(.list(collection: collection.id)) { (response) throws(ControlFailure) in
            if case .records(let records) = response { all += records }
            tell(all.count)
            return nil
        }
        return all
    }

    /// A record; nil when there is none.
    package func record(
        _ collection: Collection, _ id: RecordID
    ) async throws(ControlFailure) -> ControlRecord? {
        var found: ControlRecord?
        try await perform(.get(collection: collection.id, record: id)) {
            (response) throws(ControlFailure) in
            if case .records(let records) = response { found = records.first }
            return nil
        }
        return found
    }

    /// The deleted records of a collection.
    package func trash(of collection: Collection) async throws(ControlFailure) -> [ControlTrash] {
        var all: [ControlTrash] = []
        try await perform(.trash(collection: collection.id)) { (response) throws(ControlFailure) in
            if case .trash(let deleted) = response { all += deleted }
            return nil
        }
        return all
    }

    /// Performs writes as one commit; with an intent, only once.
    package func write(
        _ writes: [ControlWrite], intent: [UInt8]? = nil
    ) async throws(ControlFailure) -> ControlReceipt {
        var receipt: ControlReceipt?
        try await perform(.write(writes, intent: intent)) { (response) throws(ControlFailure) in
            if case .receipt(let given) = response { receipt = given }
            return nil
        }
        guard let receipt else { throw .failed("the write was not confirmed") }
        return receipt
    }
}
