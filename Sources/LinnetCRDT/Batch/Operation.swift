package import LinnetWire

/// One change of one record, as it travels inside a batch.
///
/// The payload stays as it came: an op whose kind or value this version does not know is carried
/// on byte by byte.
package struct Operation: Equatable, Sendable {
    /// The number of the collection.
    package var collection: UInt32
    /// The record.
    package var record: RecordID
    /// The record's generation that the op belongs to: odd while it lives, even while deleted.
    package var generation: UInt32
    /// The number of the field; 0 for operations on the record as a whole.
    package var field: UInt32
    /// The number of the kind, which may be unknown.
    package var kind: UInt8
    /// The steps from the batch's base stamp to the op's stamp.
    package var stampDelta: UInt64
    /// The payload, one canonical CBOR item.
    package var payload: [UInt8]

    /// Joins the parts as they are.
    package init(
        collection: UInt32, record: RecordID, generation: UInt32, field: UInt32, kind: UInt8,
        stampDelta: UInt64, payload: [UInt8]
    ) {
        self.collection = collection
        self.record = record
        self.generation = generation
        self.field = field
        self.kind = kind
        self.stampDelta = stampDelta
        self.payload = payload
    }

    /// An op on a record as a whole: one that deletes it, restores it, or inserts it into a log.
    package static func record(
        _ kind: OperationKind, collection: UInt32, record: RecordID, generation: UInt32,
        stampDelta: UInt64, payload: [UInt8] = Operation.emptyContext
    ) -> Operation {
        precondition(kind.isOnRecord, "an op on the record as a whole")
        return Operation(
            collection: collection, record: record, generation: generation, field: 0,
            kind: kind.rawValue, stampDelta: stampDelta, payload: payload)
    }

    /// The payload of a delete or a restore that carries no context: an empty array.
    package static let emptyContext: [UInt8] = [0x80]

    /// The reason for which the op, apart from its payload, is meaningless under every schema; nil
    /// when there is none.
    package var malformation: QuarantineReason? {
        guard let kind = OperationKind(rawValue: kind) else { return nil }
        switch kind {
        case .recordDelete:
            guard generation > 0, generation.isMultiple(of: 2) else { return .badGeneration }
        case .recordRestore:
            guard generation > 1, !generation.isMultiple(of: 2) else { return .badGeneration }
        case .logInsert:
            // A later one would hide what must never change.
            guard generation == 1 else { return .badGeneration }
        default:
            if generation.isMultiple(of: 2) { return .badGeneration }
        }
        return (field == 0) == kind.isOnRecord ? nil : .badField
    }

    /// True when the payload has the form that the kind asks for, and for every unknown kind.
    package var hasGoodPayload: Bool {
        guard let kind = OperationKind(rawValue: kind) else { return true }
        if kind == .recordDelete { return (try? CausalContext(decoding: payload)) != nil }
        if kind == .recordRestore { return payload == Operation.emptyContext }
        return kind.rules?.isWellFormed(payload, of: kind) ?? true
    }
}

extension Operation {
    /// Appends [collection, record, generation, field, kind, stamp delta, payload].
    package func write(to writer: inout CBORWriter) {
        writer.array(7)
        writer.unsigned(UInt64(collection))
        writer.text(utf8: record.utf8)
        writer.unsigned(UInt64(generation))
        writer.unsigned(UInt64(field))
        writer.unsigned(UInt64(kind))
        writer.unsigned(stampDelta)
        writer.raw(payload)
    }

    /// Returns true when the op names the same record as another.
    package func isOnRecord(of other: Operation) -> Bool {
        collection == other.collection && record == other.record
    }

    /// The number of bytes in `encoded`, which is the room that the op takes in a batch.
    package var encodedCount: Int {
        CBORWriter.headCount(UInt64(collection))
            + CBORWriter.headCount(UInt64(record.utf8.count)) + record.utf8.count
            + CBORWriter.headCount(UInt64(generation)) + CBORWriter.headCount(UInt64(field))
            + CBORWriter.headCount(UInt64(kind)) + CBORWriter.headCount(stampDelta)
            + 1 + payload.count
    }

    /// The canonical bytes of the op alone.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads one op, whose payload is well formed but not yet judged.
    package init(from reader: inout CBORReader) throws(CRDTError) {
        do throws(WireError) {
            try reader.array(exactly: 7)
            collection = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            let text = try reader.text(max: Limits.recordIDBytes)
            generation = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            field = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            kind = UInt8(try reader.unsigned(max: UInt64(UInt8.max)))
            stampDelta = try reader.unsigned()
            payload = try reader.rawItem()
            guard let record = RecordID(text) else { throw .badText }
            self.record = record
        } catch {
            throw .wire(error)
        }
    }
}
