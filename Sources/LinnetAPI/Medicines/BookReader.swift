package import Linnet
package import LinnetCRDT
package import LinnetControl
package import LinnetMedication

/// Reads the medication domain of a home.
package enum BookReader {
    /// The collections without which there is no such domain.
    private static let collections = [
        Schema.medication, Schema.stock, Schema.schedule, Schema.doseEvent, Schema.timeZoneEvent,
        Schema.scheduleAdjustment,
    ]

    /// Reads all records of the domain into a book; throws when the home's schema has no such
    /// collections. What is written meanwhile may be in the book in part.
    package static func book(_ gateway: Gateway) async throws(ControlFailure) -> MedicationBook {
        var book = MedicationBook()
        try await collect(collections + [Schema.doseTotal], into: &book, gateway) { _ in true }
        try await finish(&book, gateway) { _ in true }
        return book
    }

    /// Reads what counts for the totals of months: of the medications only those that have a
    /// schedule or a dose, since there may be any number of others.
    package static func bookOfDoses(_ gateway: Gateway) async throws(ControlFailure)
        -> MedicationBook
    {
        var book = MedicationBook()
        let others = collections.filter { $0 != Schema.medication && $0 != Schema.stock }
        try await collect(others + [Schema.doseTotal], into: &book, gateway) { _ in true }
        let named = book.namedMedications
        try await collect([Schema.medication], into: &book, gateway) { named.contains($0.id) }
        try await finish(&book, gateway) { named.contains($0.id) }
        return book
    }

    private static func collect(
        _ wanted: [Collection], into book: inout MedicationBook, _ gateway: Gateway,
        where isWanted: (RecordView) -> Bool
    ) async throws(ControlFailure) {
        let schema = try await gateway.schemaFile().schema
        guard collections.allSatisfy({ schema.collection(id: $0.id) != nil }) else {
            throw .failed("this home's schema has no medication collections")
        }
        // A home with a schema of its own may have no totals.
        for collection in wanted where schema.collection(id: collection.id) != nil {
            try await gateway.converse(ListRequest(collection.id)) {
                (records) throws(ControlFailure) in
                book.collect(records.filter(isWanted))
                return nil
            }
        }
    }

    /// Takes in what was deleted, and what the home says of itself.
    private static func finish(
        _ book: inout MedicationBook, _ gateway: Gateway, where isWanted: (RecordView) -> Bool
    ) async throws(ControlFailure) {
        book.finishCollecting()
        try await gateway.converse(TrashRequest(Schema.medication.id)) {
            (deleted) throws(ControlFailure) in
            for view in deleted where isWanted(view.record) { book.bury(view.record) }
            return nil
        }
        let scopes = try await gateway.ask(ScopesRequest())
        book.isInStep = scopes.isInStep
        book.coverage = coverage(scopes, try await gateway.schemaFile().schema)
    }

    /// Returns the months of the log that the home holds and knows.
    package static func coverage(_ found: ControlScopes, _ schema: Schema) -> LogCoverage {
        LogCoverage(
            of: schema.collection(id: Schema.doseEvent.id)?.scope,
            holdsOthers: found.isEverything, found.names, isInStep: found.isInStep)
    }
}

extension MedicationBook {
    /// The zones that schedules, journeys and decisions name.
    package var zoneNames: [String] {
        var names = OrderedSet<String>()
        for schedule in schedules.values {
            for timing in schedule.earlier.map(\.timing) + [schedule.timing] {
                names.insert(timing.referenceZone)
            }
        }
        for event in timeZoneEvents.values {
            names.insert(event.change.from)
            names.insert(event.change.to)
        }
        return names.elements
    }
}
