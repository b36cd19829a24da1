import Linnet
import LinnetCRDT
import LinnetMedication

/// Reads the medication domain of a home.
enum BookReader {
    private static let collections = [
        Schema.medication, Schema.stock, Schema.schedule, Schema.doseEvent, Schema.timeZoneEvent,
        Schema.scheduleAdjustment,
    ]

    /// All records of the domain, folded; throws when the home's schema has no such collections.
    static func book(_ gateway: Gateway) async throws(ControlFailure) -> MedicationBook {
        let schema = try await gateway.schemaFile().schema
        guard collections.allSatisfy({ schema.collection(id: $0.id) != nil }) else {
            throw .failed("this home's schema has no medication collections")
        }
        var records: [StoredRecord] = []
        for collection in collections {
            records += try await gateway.records(of: collection).map {
                StoredRecord($0, of: collection)
            }
        }
        var book = MedicationBook(records)
        for deleted in try await gateway.trash(of: Schema.medication) {
            book.bury(StoredRecord(deleted.record, of: Schema.medication))
        }
        return book
    }
}
