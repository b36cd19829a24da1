package import LinnetCRDT
import LinnetStorage
package import LinnetWire

/// The changes of one record that an application asks for.
package struct Write: Equatable, Sendable {
    /// The record.
    package let key: RecordKey
    /// What changes, in order.
    package let changes: [Change]

    /// Changes a record, creating it when it is not live.
    package init(_ key: RecordKey, _ changes: [Change]) {
        self.key = key
        self.changes = changes
    }

    /// Sets fields, creating the record when it is not live.
    package static func set(
        collection: UInt32, record: RecordID, fields: [FieldWrite]
    ) -> Write {
        Write(RecordKey(collection: collection, record: record), fields.map(Change.set))
    }

    /// Deletes a live record; nothing happens to another.
    package static func delete(collection: UInt32, record: RecordID) -> Write {
        Write(RecordKey(collection: collection, record: record), [.delete])
    }
}

/// What became of a transaction.
package struct CommitReceipt: Equatable, Sendable {
    /// The commit; all zeros when there was nothing to change.
    package var commit: CommitID
    /// How many batches carry it.
    package var batches: Int
    /// How many operations it holds.
    package var operations: Int
    /// Whether it survives a power cut.
    package var durable: Bool
    /// Whether the intent had been carried out before, with this outcome.
    package var repeated: Bool
    /// What of it does not show here, when it was carried out; nil when an earlier release carried
    /// it out, which did not note that.
    package var hidden: HiddenOperations?

    /// The outcome as the store keeps it for a retry.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(hidden == nil ? 3 : 5)
        writer.bytes(commit)
        writer.unsigned(UInt64(batches))
        writer.unsigned(UInt64(operations))
        hidden?.write(to: &writer)
        return writer.bytes
    }

    init(
        commit: CommitID, batches: Int, operations: Int, durable: Bool, hidden: HiddenOperations
    ) {
        self.commit = commit
        self.batches = batches
        self.operations = operations
        self.durable = durable
        self.hidden = hidden
        repeated = false
    }

    /// The outcome of an earlier try.
    init(repeating bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        let count = try reader.array(max: 5)
        guard count == 3 || count == 5 else { throw .badLength }
        commit = try reader.bytes16()
        batches = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        operations = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        hidden = count == 5 ? try HiddenOperations(from: &reader) : nil
        try reader.finish()
        durable = true
        repeated = true
    }
}
