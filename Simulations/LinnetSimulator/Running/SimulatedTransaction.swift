public import LinnetCRDT
import LinnetReplication

/// Changes that a simulated device makes together.
public struct SimulatedTransaction {
    private(set) var writes: [Write] = []
    /// The problem of the first change that cannot be made.
    private(set) var problem: String?
    private let schema: Schema

    init(_ schema: Schema) { self.schema = schema }

    /// Sets fields of a record, creating it when it does not exist.
    ///
    /// A member of a group is named like a field; members that are not named keep their value.
    public mutating func set(_ collection: Collection, _ id: String, _ fields: [String: Value]) {
        guard let record = record(collection, id) else { return }
        do {
            // The order of a dictionary differs from run to run.
            let writes = try fields.sorted { $0.key < $1.key }.map {
                try Self.write($0.key, $0.value, in: collection)
            }
            add(.set(collection: collection.id, record: record, fields: Self.grouped(writes)))
        } catch {
            complain("\(collection.name) \(id): \(error)")
        }
    }

    /// Deletes a record; nothing happens when it does not exist.
    public mutating func delete(_ collection: Collection, _ id: String) {
        guard let record = record(collection, id) else { return }
        add(.delete(collection: collection.id, record: record))
    }

    /// Brings a deleted record back; nothing happens to another.
    public mutating func restore(_ collection: Collection, _ id: String) {
        change(collection, id) { _ in .restore }
    }

    /// Adds an amount to a tally, once for each key.
    public mutating func count(
        _ collection: Collection, _ id: String, _ field: String, key: String, _ amount: Value
    ) {
        change(collection, id) { (collection) throws(SchemaError) in
            .count(field: try collection.field(named: field).id, key: key, amount: amount)
        }
    }

    /// Sets a tally to what was counted.
    public mutating func recount(
        _ collection: Collection, _ id: String, _ field: String, _ amount: Value
    ) {
        change(collection, id) { (collection) throws(SchemaError) in
            .recount(field: try collection.field(named: field).id, amount)
        }
    }

    /// Adds an element to a set.
    public mutating func add(
        _ collection: Collection, _ id: String, _ field: String, _ element: Value
    ) {
        change(collection, id) { (collection) throws(SchemaError) in
            .add(field: try collection.field(named: field).id, element)
        }
    }

    /// Removes an element from a set.
    public mutating func remove(
        _ collection: Collection, _ id: String, _ field: String, _ element: Value
    ) {
        change(collection, id) { (collection) throws(SchemaError) in
            .remove(field: try collection.field(named: field).id, element)
        }
    }

    /// Types into a text: at a place that is counted anew from the start where the text is shorter,
    /// and over as many characters as there are.
    public mutating func edit(
        _ collection: Collection, _ id: String, _ field: String, at place: Int, deleting: Int = 0,
        inserting text: String = ""
    ) {
        guard place >= 0, deleting >= 0 else {
            return complain("\(collection.name) \(id): there is no place \(place), \(deleting)")
        }
        change(collection, id) { (collection) throws(SchemaError) in
            .edit(
                field: try collection.field(named: field).id, at: place, deleting: deleting,
                inserting: text)
        }
    }

    /// Writes a record of a log; what is there already stays.
    public mutating func insert(
        _ collection: Collection, _ id: String, _ fields: [String: [Value]]
    ) {
        change(collection, id) { (collection) throws(SchemaError) in
            var values: [FieldValues] = []
            for (name, written) in fields.sorted(by: { $0.key < $1.key }) {
                let field = try collection.field(named: name)
                try field.validate(written)
                values.append(FieldValues(field.id, written))
            }
            return .insert(values)
        }
    }

    private mutating func change(
        _ collection: Collection, _ id: String,
        _ make: (Collection) throws(SchemaError) -> Change
    ) {
        guard let record = record(collection, id) else { return }
        do {
            let key = RecordKey(collection: collection.id, record: record)
            writes.append(Write(key, [try make(collection)]))
        } catch {
            complain("\(collection.name) \(id): \(error)")
        }
    }

    private mutating func add(_ write: Write) { writes.append(write) }

    private mutating func record(_ collection: Collection, _ id: String) -> RecordID? {
        guard schema.collections.contains(collection) else {
            complain("the schema has no collection \(collection.name)")
            return nil
        }
        let record = RecordID(id)
        if record == nil { complain("'\(id)' is no legal identifier of a record") }
        return record
    }

    private mutating func complain(_ text: String) { problem = problem ?? text }

    private static func write(
        _ name: String, _ value: Value, in collection: Collection
    ) throws(SchemaError) -> (field: UInt32, member: Int, value: Value) {
        let single: [FieldForm] = [.single, .several, .place]
        if let field = collection.fields.first(where: { $0.name == name }),
            single.contains(field.kind.form)
        {
            try field.validate(value)
            return (field.id, 0, value)
        }
        for field in collection.fields where field.kind == .group {
            for (index, member) in field.members.enumerated()
            where member.name == name || "\(field.name).\(member.name)" == name {
                return (field.id, index, value)
            }
        }
        throw .unknownField(name)
    }

    /// Members of one group are written at once.
    private static func grouped(
        _ writes: [(field: UInt32, member: Int, value: Value)]
    ) -> [FieldWrite] {
        var fields: [UInt32] = []
        for write in writes where !fields.contains(write.field) { fields.append(write.field) }
        return fields.map { field in
            FieldWrite(
                field, members: writes.filter { $0.field == field }.map { ($0.member, $0.value) })
        }
    }
}
