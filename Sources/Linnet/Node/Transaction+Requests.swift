import LinnetCRDT
import LinnetReplication

extension Transaction {
    /// What the replica is asked for, by the numbers of a schema.
    func requests(in schema: LinnetCRDT.Schema) throws(LinnetError) -> [WriteRequest] {
        try changes.map { (change) throws(LinnetError) in try change.request(in: schema) }
    }
}

extension Transaction.Change {
    fileprivate func request(in schema: LinnetCRDT.Schema) throws(LinnetError) -> WriteRequest {
        guard let record = RecordID(id) else { throw .badRecordID(id) }
        do throws(SchemaError) {
            let collection = try schema.collection(named: collection)
            let key = RecordKey(collection: collection.id, record: record)
            return try step.request(for: key, in: collection)
        } catch {
            throw .schema(error)
        }
    }
}

extension Transaction.Step {
    fileprivate func request(
        for key: RecordKey, in collection: Collection
    ) throws(SchemaError) -> WriteRequest {
        switch self {
        case .count(let name, let amount, nil):
            return .count(key, field: try collection.field(named: name).id, amount: amount)
        case .move(let name, let place):
            return .move(key, field: try collection.order(named: name).id, to: place)
        case .set(let values):
            return .changes(Write(key, try FieldWrite.list(values, in: collection).map(Change.set)))
        case .insert(let values):
            return .changes(Write(key, [.insert(try FieldValues.list(values, in: collection))]))
        default:
            return .changes(Write(key, [try change(in: collection)]))
        }
    }

    private func change(in collection: Collection) throws(SchemaError) -> Change {
        switch self {
        case .count(let name, let amount, let key):
            return .count(
                field: try collection.field(named: name).id, key: key ?? "", amount: amount)
        case .recount(let name, let amount):
            return .recount(field: try collection.field(named: name).id, amount)
        case .add(let name, let element):
            let field = try collection.field(named: name)
            return .add(field: field.id, field.fitting(element))
        case .remove(let name, let element):
            let field = try collection.field(named: name)
            return .remove(field: field.id, field.fitting(element))
        case .edit(let name, let offset, let count, let text):
            return .edit(
                field: try collection.field(named: name).id, at: offset, deleting: count,
                inserting: text)
        case .rewrite(let name, let text):
            return .rewrite(field: try collection.field(named: name).id, text)
        case .restore:
            return .restore
        case .delete, .set, .insert, .move:
            return .delete
        }
    }
}

extension Collection {
    /// The field of an order by its name, or the only one.
    fileprivate func order(named name: String?) throws(SchemaError) -> Field {
        if let name { return try field(named: name) }
        let orders = fields.filter { $0.kind == .order }
        guard let only = orders.first, orders.count == 1 else { throw .unknownField("order") }
        return only
    }
}

extension Field {
    /// A whole number as a decimal one where the field holds such.
    fileprivate func fitting(_ value: Value) -> Value {
        guard case .int(let number) = value, members.first?.type == .decimal,
            let decimal = Decimal64(mantissa: number, exponent: 0)
        else { return value }
        return .decimal(decimal)
    }
}

extension FieldValues {
    /// All values of each field that is named; members that are not named are empty.
    fileprivate static func list(
        _ values: [String: Value], in collection: Collection
    ) throws(SchemaError) -> [FieldValues] {
        try FieldWrite.list(values, in: collection).map { written in
            let count = collection.field(id: written.field)?.members.count ?? 1
            var all = [Value](repeating: .null, count: count)
            for (member, value) in written.values { all[member] = value }
            return FieldValues(written.field, all)
        }
    }
}

extension FieldWrite {
    /// One write for each field, in the order of the schema, whatever the order of the names.
    static func list(
        _ values: [String: Value], in collection: Collection
    ) throws(SchemaError) -> [FieldWrite] {
        var members: [UInt32: [Int: Value]] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let path = try FieldPath(name, in: collection)
            for (member, value) in try path.values(of: value) {
                members[path.field.id, default: [:]][member] = value
            }
        }
        return collection.fields.compactMap { field in
            members[field.id].map { written in
                FieldWrite(
                    field.id, members: written.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                )
            }
        }
    }
}
