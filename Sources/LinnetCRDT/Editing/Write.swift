/// The changes of one record that an application asks for.
package struct Write: Equatable, Sendable {
    /// The record.
    package let key: RecordKey
    /// The changes, in order.
    package let changes: [Change]

    /// Changes a record, which is created when it is not live.
    package init(_ key: RecordKey, _ changes: [Change]) {
        self.key = key
        self.changes = changes
    }

    /// Changes the record of a collection.
    package init(_ collection: UInt32, _ record: RecordID, _ changes: [Change]) {
        self.init(RecordKey(collection: collection, record: record), changes)
    }

    /// Writes a record of a log.
    package init(inserting record: RecordView) {
        self.init(record.collection, record.id, [.insert(record.fields)])
    }

    /// Sets fields of a record, which is created when it is not live.
    package static func set(
        collection: UInt32, record: RecordID, fields: [FieldWrite]
    ) -> Write {
        Write(RecordKey(collection: collection, record: record), fields.map(Change.set))
    }

    /// Deletes a record; changes nothing when it is not live.
    package static func delete(collection: UInt32, record: RecordID) -> Write {
        Write(RecordKey(collection: collection, record: record), [.delete])
    }
}
