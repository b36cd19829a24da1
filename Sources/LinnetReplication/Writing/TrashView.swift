package import LinnetCRDT
package import LinnetWire

/// A deleted record as a person finds it in the trash.
package struct TrashView: Equatable, Sendable {
    /// The record with what it last held.
    package let record: RecordView
    /// The time at which it was deleted.
    package let deleted: Timestamp
    /// The device that deleted it; nil when it is no longer known.
    package let by: DeviceID?
    /// The fields that hold changes which the delete had not seen.
    package let editedAfter: [UInt32]

    /// Joins the parts.
    package init(record: RecordView, deleted: Timestamp, by: DeviceID?, editedAfter: [UInt32]) {
        self.record = record
        self.deleted = deleted
        self.by = by
        self.editedAfter = editedAfter
    }
}
