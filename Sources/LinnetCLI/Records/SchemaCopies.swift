package import Linnet
import LinnetCRDT

/// Fills new fields from the ones that they replace, by ordinary writes.
package enum SchemaCopies {
    /// Copies what a new field lacks; returns how many values were copied.
    ///
    /// A device that upgrades later finds the fields filled; two that upgrade at once write the
    /// same, which merges into one.
    package static func carryOut(
        _ file: SchemaFile, _ gateway: Gateway
    ) async throws(ControlFailure) -> Int {
        var count = 0
        for copy in file.copies {
            guard let collection = file.schema.collection(id: copy.collection),
                let field = collection.field(id: copy.field),
                let source = collection.field(id: copy.source)
            else { continue }
            var writes: [ControlWrite] = []
            for record in try await gateway.records(of: collection) {
                let values = record.values.filter { $0.field == source.id && $0.value != .null }
                let isFilled = record.values.contains {
                    $0.field == field.id && $0.value != .null && $0.value != .list([])
                }
                if values.isEmpty || isFilled { continue }
                writes.append(write(values, field, collection, record))
            }
            if writes.isEmpty { continue }
            _ = try await gateway.write(writes)
            count += writes.count
        }
        return count
    }

    private static func write(
        _ values: [ControlField], _ field: Field, _ collection: Collection, _ record: ControlRecord
    ) -> ControlWrite {
        let converted = values.map { value in
            let type = field.members[Int(value.member)].type
            return ControlField(
                field: field.id, member: value.member,
                value: SchemaCopying.converted(value.value, to: type))
        }
        let changes: [ControlChange]
        switch (field.kind, converted[0].value) {
        case (.set, .list(let elements)): changes = elements.map { .add(field: field.id, $0) }
        case (.mv, .list(let values)): changes = [.keep(field: field.id, values)]
        case (.text, .text(let text)): changes = [.copy(field: field.id, text)]
        case (.set, let element): changes = [.add(field: field.id, element)]
        case (.tally, let amount):
            // The same key on every device: what two of them copy counts once.
            changes = [.count(field: field.id, key: "copy", amount: amount)]
        default: changes = [.set(converted)]
        }
        return ControlWrite(collection: collection.id, record: record.id, changes)
    }
}
