import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The fields of a schema by which records are found.
struct IndexedFields {
    /// The fields by the collection's number, without collections that have none.
    private let fields: OrderedTable<UInt32, [Field]>

    init(_ schema: Schema) {
        fields = OrderedTable(
            schema.collections.compactMap { collection in
                let indexed = collection.fields.filter { $0.index != nil }
                return indexed.isEmpty ? nil : (collection.id, indexed)
            })
    }

    /// The collections that have such fields, ascending.
    var collections: [UInt32] { fields.keys }

    /// Returns true when records of a collection are found by some field.
    func covers(_ collection: UInt32) -> Bool { fields[collection] != nil }

    /// Returns the entries by which a record is found; none when it is not live.
    func entries(of view: RecordView?, in collection: UInt32) -> [IndexEntry] {
        guard let view, let indexed = fields[collection] else { return [] }
        return indexed.flatMap { field -> [IndexEntry] in
            guard let kind = field.index else { return [] }
            return values(of: field, in: view).compactMap { value in
                IndexKey.bytes(of: value, limit: kind.keyBytes).map {
                    IndexEntry(field: field.id, kind: kind, key: $0)
                }
            }
        }
    }

    private func values(of field: Field, in view: RecordView) -> [Value] {
        let reference = FieldReference(field)
        guard field.kind.form == .elements else { return reference.candidates(in: view) }
        guard case .list(let elements)? = reference.value(in: view) else { return [] }
        return elements
    }

    /// The marks of the indexes that the store keeps, by collection, to see later whether they
    /// changed.
    var marks: OrderedTable<UInt32, [UInt8]> {
        fields.mapValues { indexed in
            var writer = CBORWriter()
            writer.array(indexed.count)
            for field in indexed {
                writer.array(2)
                writer.unsigned(UInt64(field.id))
                writer.text(field.index?.rawValue ?? "")
            }
            return writer.bytes
        }
    }
}
