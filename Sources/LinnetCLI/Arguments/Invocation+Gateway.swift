package import Linnet

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
}

extension Invocation {
    /// Opens the home, after asking for its passphrase when it has one and no node has it open.
    func openGateway() async throws(ControlFailure) -> Gateway {
        try await Gateway.open(home) { (tries) throws(ControlFailure) in try passphrase(tries) }
    }
}

extension Gateway {
    /// The records of a collection.
    package func records(of collection: Collection) async throws(ControlFailure) -> [ControlRecord]
    {
        var all: [ControlRecord] = []
        try await perform(.list(collection: collection.id)) { (response) throws(ControlFailure) in
            if case .records(let records) = response { all += records }
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

    /// Performs writes as one commit.
    package func write(_ writes: [ControlWrite]) async throws(ControlFailure) -> ControlReceipt {
        var receipt: ControlReceipt?
        try await perform(.write(writes, intent: nil)) { (response) throws(ControlFailure) in
            if case .receipt(let given) = response { receipt = given }
            return nil
        }
        guard let receipt else { throw .failed("the write was not confirmed") }
        return receipt
    }
}
