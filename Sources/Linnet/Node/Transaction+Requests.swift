import LinnetCRDT
import LinnetReplication

extension Transaction {
    /// The requests to the replica, by the numbers of a schema.
    func requests(in schema: Schema) throws(LinnetError) -> [WriteRequest] {
        try changes.map { (change) throws(LinnetError) in try change.request(in: schema) }
    }
}

extension Transaction.Change {
    fileprivate func request(in schema: Schema) throws(LinnetError) -> WriteRequest {
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
        func id(_ name: String) throws(SchemaError) -> UInt32 {
            try collection.field(named: name).id
        }
        let change: Change
        switch self {
        case .count(let name, let amount, nil):
            return .count(key, field: try id(name), amount: amount)
        case .move(let name, let place):
            return .move(key, field: try collection.order(named: name).id, to: place)
        case .set(let values):
            return .changes(Write(key, try FieldWrite.list(values, in: collection).map(Change.set)))
        case .insert(let values): change = .insert(try FieldValues.list(values, in: collection))
        case .count(let name, let amount, let key?):
            change = .count(field: try id(name), key: key, amount: amount)
        case .recount(let name, let amount): change = .recount(field: try id(name), amount)
        case .add(let name, let element):
            let field = try collection.field(named: name)
            change = .add(field: field.id, field.fitting(element))
        case .remove(let name, let element):
            let field = try collection.field(named: name)
            change = .remove(field: field.id, field.fitting(element))
        case .edit(let name, let offset, let count, let text, let unit):
            change = .edit(
                field: try id(name), at: offset, deleting: count, inserting: text, unit: unit)
        case .rewrite(let name, let text): change = .rewrite(field: try id(name), text)
        case .delete: change = .delete
        case .restore: change = .restore
        }
        return .changes(Write(key, [change]))
    }
}

extension Collection {
    /// Returns the field of an order by its name, or the only one.
    fileprivate func order(named name: String?) throws(SchemaError) -> Field {
        if let name { return try field(named: name) }
        let orders = fields.filter { $0.kind == .order }
        guard let only = orders.first, orders.count == 1 else { throw .unknownField("order") }
        return only
    }
}

extension Field {
    /// Returns a whole number as a decimal one where the field holds decimal numbers.
    fileprivate func fitting(_ value: Value) -> Value {
        guard case .int(let number) = value, members.first?.type == .decimal,
            let decimal = Decimal64(mantissa: number, exponent: 0)
        else { return value }
        return .decimal(decimal)
    }
}

extension FieldValues {
    /// Returns all values of each field that is named; members that are not named are null.
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
    /// Returns one write for each field, in the order of the schema, whatever the order of the
    /// names.
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
