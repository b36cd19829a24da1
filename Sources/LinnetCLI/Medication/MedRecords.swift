import Linnet
import LinnetCRDT
import LinnetMedication

extension StoredRecord {
    /// Takes over a record as a home shows it; fields without a value are left out.
    init(_ record: ControlRecord, of collection: Collection) {
        var fields: [FieldValues] = []
        for field in collection.fields {
            let own = record.values.filter { $0.field == field.id }
            guard !own.isEmpty else { continue }
            var values = [Value](repeating: .null, count: field.members.count)
            for given in own where values.indices.contains(Int(given.member)) {
                values[Int(given.member)] = given.value
            }
            fields.append(FieldValues(field.id, values))
        }
        self.init(collection: collection.id, id: record.id, fields: fields)
    }
}

extension ControlWrite {
    /// Takes over a write that a planner asks for.
    init(_ planned: PlannedWrite) {
        self.init(
            collection: planned.collection, record: planned.record,
            planned.changes.map(ControlChange.init))
    }
}

extension ControlChange {
    fileprivate init(_ change: Change) {
        switch change {
        case .set(let written):
            self = .set(
                written.values.map {
                    ControlField(
                        field: written.field, member: UInt32($0.member), value: $0.value)
                })
        case .keep(let field, let values): self = .keep(field: field, values)
        case .count(let field, let key, let amount):
            self = .count(field: field, key: key, amount: amount)
        case .recount(let field, let amount): self = .recount(field: field, amount)
        case .add(let field, let element): self = .add(field: field, element)
        case .remove(let field, let element): self = .remove(field: field, element)
        case .edit(let field, let offset, let count, let text):
            self = .edit(
                field: field, at: UInt64(offset), deleting: UInt64(count), inserting: text)
        case .rewrite(let field, let text): self = .rewrite(field: field, text)
        case .copy(let field, let pieces):
            self = .copy(field: field, pieces.map(\.insertion.string).joined())
        case .insert(let fields):
            self = .insert(
                fields.flatMap { field in
                    field.values.enumerated().map {
                        ControlField(
                            field: field.field, member: UInt32($0.offset), value: $0.element)
                    }
                })
        case .delete: self = .delete
        case .restore: self = .restore
        }
    }
}
