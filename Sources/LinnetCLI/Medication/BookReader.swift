import Linnet
import LinnetCRDT
import LinnetMedication

/// Reads the medication domain of a home.
enum BookReader {
    private static let collections = [
        Schema.medication, Schema.stock, Schema.schedule, Schema.doseEvent, Schema.timeZoneEvent,
        Schema.scheduleAdjustment,
    ]

    /// Reads all records of the domain into a book; throws when the home's schema has no such
    /// collections.
    static func book(_ gateway: Gateway) async throws(ControlFailure) -> MedicationBook {
        let schema = try await gateway.schemaFile().schema
        guard collections.allSatisfy({ schema.collection(id: $0.id) != nil }) else {
            throw .failed("this home's schema has no medication collections")
        }
        var records: [StoredRecord] = []
        // A home with a schema of its own may have no totals.
        let totals = [Schema.doseTotal].filter { schema.collection(id: $0.id) != nil }
        for collection in collections + totals {
            records += try await gateway.records(of: collection).map {
                StoredRecord($0, of: collection)
            }
        }
        var book = MedicationBook(records)
        for deleted in try await gateway.trash(of: Schema.medication) {
            book.bury(StoredRecord(deleted.record, of: Schema.medication))
        }
        let scopes = try await scopes(gateway)
        book.isInStep = scopes.isInStep
        book.coverage = coverage(scopes, schema)
        return book
    }

    /// Returns the scopes that the home holds and knows.
    static func scopes(_ gateway: Gateway) async throws(ControlFailure) -> ControlScopes {
        var found: ControlScopes?
        try await gateway.perform(.scopes) { (response) throws(ControlFailure) in
            if case .scopes(let scopes) = response { found = scopes }
            return nil
        }
        guard let found else { throw .failed("the home did not say which scopes it holds") }
        return found
    }

    /// Returns the months of the log that the home holds and knows.
    static func coverage(_ found: ControlScopes, _ schema: LinnetCRDT.Schema) -> LogCoverage {
        LogCoverage(
            of: schema.collection(id: Schema.doseEvent.id)?.scope,
            holdsOthers: found.isEverything, found.names, isInStep: found.isInStep)
    }
}
