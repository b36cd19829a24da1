package import LinnetCRDT
import LinnetReplication

/// Fills a new field from the one that it replaces, by ordinary writes, which merge with those of
/// another device that does the same.
package enum FieldCopying {
    /// Returns the writes for those of the records whose new field is empty.
    package static func writes(
        for records: [RecordView], into field: Field, from source: Field,
        of collection: Collection
    ) -> [Write] {
        records.compactMap { record in
            let values = record.values(of: source).enumerated().filter { $0.element != .null }
            let isFilled = record.values(of: field).contains { $0 != .null && $0 != .list([]) }
            if values.isEmpty || isFilled { return nil }
            return Write(
                collection.id, record.id,
                changes(values.map { (member: $0.offset, value: $0.element) }, into: field))
        }
    }

    private static func changes(
        _ values: [(member: Int, value: Value)], into field: Field
    ) -> [Change] {
        let converted = values.map { member, value in
            (member, SchemaCopying.converted(value, to: field.members[member].type))
        }
        switch (field.kind, converted[0].1) {
        case (.set, .list(let elements)): return elements.map { .add(field: field.id, $0) }
        case (.mv, .list(let values)): return [.keep(field: field.id, values)]
        case (.text, .text(let text)):
            return [.copy(field: field.id, TextCopy.pieces(of: text))]
        case (.set, let element): return [.add(field: field.id, element)]
        case (.tally, let amount):
            // The key is the same on every device: an amount that two of them copy counts once.
            return [.count(field: field.id, key: "copy", amount: amount)]
        default: return [.set(FieldWrite(field.id, members: converted))]
        }
    }
}

extension RecordView {
    fileprivate func values(of field: Field) -> [Value] {
        fields.first { $0.field == field.id }?.values ?? []
    }
}

extension Node {
    /// Fills a new field with the values of an older one, in every record whose new field is empty;
    /// returns the number of these records.
    ///
    /// The kind of a field never changes: a field that must become something else is replaced by a
    /// new one. Every device that upgrades may call this, and call it again; a value that two of
    /// them copy is there once, even in a text. Values are converted where that loses nothing.
    ///
    /// Throws ``LinnetError/schema(_:)`` for a name that the schema lacks, and when the older
    /// field's values have no place in the new one.
    ///
    /// - Parameters:
    ///   - field: the name of the new field.
    ///   - source: the name of the older field.
    ///   - collection: the name of their collection.
    @discardableResult
    public func fill(
        _ field: String, from source: String, in collection: String
    ) throws(LinnetError) -> Int {
        let (declared, new, old): (Collection, Field, Field)
        do throws(SchemaError) {
            declared = try schema.collection(named: collection)
            new = try declared.field(named: field)
            old = try declared.field(named: source)
        } catch {
            throw .schema(error)
        }
        if let reason = SchemaCopying.refusal(of: new, from: old) {
            throw .schema(.badFill(field: field, reason: reason))
        }
        let records = try reading { (replica) throws(ReplicaError) in
            try replica.reader.records(declared.id)
        }
        let writes = FieldCopying.writes(for: records, into: new, from: old, of: declared)
        if !writes.isEmpty {
            _ = try carryOut(
                writes.map(WriteRequest.changes), intent: nil, durability: .durable)
        }
        return writes.count
    }
}
