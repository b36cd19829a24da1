import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Reads the medication domain of a home.
enum BookReader {
    private static let collections = [
        Schema.medication, Schema.stock, Schema.schedule, Schema.doseEvent, Schema.timeZoneEvent,
        Schema.scheduleAdjustment,
    ]

    /// The number of records that are read in one go where a node serves others in between.
    private static let pageRecords = 512

    /// Reads all records of the domain into a book; throws when the home's schema has no such
    /// collections.
    ///
    /// - Parameters:
    ///   - gateway: the way to the home.
    ///   - inPages: true to let a node that serves others do so between two pages. What is written
    ///     meanwhile may be in the book in part.
    static func book(
        _ gateway: Gateway, inPages: Bool = false
    ) async throws(ControlFailure) -> MedicationBook {
        let schema = try await gateway.schemaFile().schema
        guard collections.allSatisfy({ schema.collection(id: $0.id) != nil }) else {
            throw .failed("this home's schema has no medication collections")
        }
        var records: [RecordView] = []
        // A home with a schema of its own may have no totals.
        let totals = [Schema.doseTotal].filter { schema.collection(id: $0.id) != nil }
        for collection in collections + totals {
            let name = schema.collection(id: collection.id)?.name ?? collection.name
            let found =
                inPages
                ? try await pages(of: name, gateway) : try await gateway.records(of: collection)
            records += found
        }
        var book = MedicationBook(records)
        for deleted in try await gateway.trash(of: Schema.medication) {
            book.bury(deleted.record)
        }
        let scopes = try await gateway.ask(ScopesRequest())
        book.isInStep = scopes.isInStep
        book.coverage = coverage(scopes, schema)
        return book
    }

    private static func pages(
        of collection: String, _ gateway: Gateway
    ) async throws(ControlFailure) -> [RecordView] {
        var query = Query(collection, limit: pageRecords, showsDetached: true)
        var all: [RecordView] = []
        while true {
            let page = try await gateway.page(matching: query)
            all += page.records
            guard let next = page.next else { return all }
            query.after = next
        }
    }

    /// Returns the months of the log that the home holds and knows.
    static func coverage(_ found: ControlScopes, _ schema: Schema) -> LogCoverage {
        LogCoverage(
            of: schema.collection(id: Schema.doseEvent.id)?.scope,
            holdsOthers: found.isEverything, found.names, isInStep: found.isInStep)
    }
}
