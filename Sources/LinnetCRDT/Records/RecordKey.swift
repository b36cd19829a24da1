/// The place of a record: its collection and its identifier.
package struct RecordKey: Hashable, Comparable, Sendable {
    /// The collection.
    package var collection: UInt32
    /// The record in it.
    package var record: RecordID

    /// Names a record.
    package init(collection: UInt32, record: RecordID) {
        self.collection = collection
        self.record = record
    }

    /// Orders by collection, then by record id.
    package static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.collection, left.record) < (right.collection, right.record)
    }
}
