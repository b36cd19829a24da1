package import LinnetCRDT
import LinnetStorage
package import LinnetWire

/// A new value of one field.
package struct FieldWrite: Equatable, Sendable {
    /// The field.
    package let field: UInt32
    /// What it becomes; of a group, the members given, by their place in the schema.
    package let values: [(member: Int, value: Value)]

    /// Sets a field with one value.
    package init(_ field: UInt32, _ value: Value) {
        self.field = field
        values = [(0, value)]
    }

    /// Sets some members of a group; the others keep the visible value.
    package init(_ field: UInt32, members: [(Int, Value)]) {
        self.field = field
        values = members.map { (member: $0.0, value: $0.1) }
    }

    /// Whether both write the same.
    package static func == (left: FieldWrite, right: FieldWrite) -> Bool {
        left.field == right.field
            && left.values.elementsEqual(right.values) {
                $0.member == $1.member && $0.value == $1.value
            }
    }
}

/// One change that an application asks for.
package enum Write: Equatable, Sendable {
    /// Sets fields, creating the record when it is not live.
    case set(collection: UInt32, record: RecordID, fields: [FieldWrite])
    /// Deletes a live record; nothing happens to another.
    case delete(collection: UInt32, record: RecordID)

    var key: RecordKey {
        switch self {
        case .set(let collection, let record, _), .delete(let collection, let record):
            RecordKey(collection: collection, record: record)
        }
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

    /// The outcome as the store keeps it for a retry.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.bytes(commit)
        writer.unsigned(UInt64(batches))
        writer.unsigned(UInt64(operations))
        return writer.bytes
    }

    init(commit: CommitID, batches: Int, operations: Int, durable: Bool) {
        self.commit = commit
        self.batches = batches
        self.operations = operations
        self.durable = durable
        repeated = false
    }

    /// The outcome of an earlier try.
    init(repeating bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.array(exactly: 3)
        commit = try reader.bytes16()
        batches = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        operations = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        try reader.finish()
        durable = true
        repeated = true
    }
}

/// A live record, as an application reads it.
package struct RecordView: Equatable, Sendable {
    /// The collection.
    package let collection: UInt32
    /// The record's identifier.
    package let id: RecordID
    /// The fields that show, ascending; of a group, all members.
    package let fields: [(field: UInt32, values: [Value])]

    /// Whether both show the same.
    package static func == (left: RecordView, right: RecordView) -> Bool {
        left.collection == right.collection && left.id == right.id
            && left.fields.elementsEqual(right.fields) {
                $0.field == $1.field && $0.values == $1.values
            }
    }
}
