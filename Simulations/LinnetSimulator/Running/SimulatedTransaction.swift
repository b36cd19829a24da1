public import LinnetCRDT
import LinnetReplication

/// Changes that a simulated device makes together.
public struct SimulatedTransaction {
    private(set) var writes: [Write] = []
    /// What is wrong with the first change that cannot be made.
    private(set) var problem: String?
    private let schema: LinnetCRDT.Schema

    init(_ schema: LinnetCRDT.Schema) { self.schema = schema }

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
        if let field = collection.fields.first(where: { $0.name == name && $0.kind == .lww }) {
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
