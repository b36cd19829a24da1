public import LinnetCRDT

/// The changes of one record, as an application commits them.
package struct PlannedWrite: Equatable, Sendable {
    /// The number of the collection.
    package let collection: UInt32
    /// The record.
    package let record: RecordID
    /// The changes, in order.
    package let changes: [Change]

    /// Joins place and changes.
    package init(_ collection: UInt32, _ record: RecordID, _ changes: [Change]) {
        self.collection = collection
        self.record = record
        self.changes = changes
    }

    /// Inserts a record of a log.
    init(inserting record: StoredRecord) {
        self.init(record.collection, record.id, [.insert(record.fields)])
    }
}

/// The changes that a command comes to: one commit, all or nothing.
public struct MedicationPlan: Equatable, Sendable {
    /// The changes; none when what was asked for is so already.
    package let writes: [PlannedWrite]
    /// The medication, or the schedule's, that it is about.
    public let medication: RecordID
    /// The dose that it is about.
    public var dose: DoseKey?
    /// The event that it logs; where there is nothing to write, the one that says so already.
    public var event: RecordID?

    /// True when all of it was done before.
    public var isDone: Bool { writes.isEmpty }

    /// Joins the parts.
    package init(
        _ writes: [PlannedWrite], medication: RecordID, dose: DoseKey? = nil, event: RecordID? = nil
    ) {
        self.writes = writes.filter { !$0.changes.isEmpty }
        self.medication = medication
        self.dose = dose
        self.event = event
    }
}
