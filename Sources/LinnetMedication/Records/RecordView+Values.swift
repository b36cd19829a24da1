import LinnetCRDT

// These are the values that the domain reads of a record.
extension RecordView {
    /// A record with fields by their names, each with a value for every member; a name that the
    /// collection does not have is left out.
    package init(
        of collection: Collection, id: RecordID, named values: [(name: String, values: [Value])]
    ) {
        self.init(
            collection: collection.id, id: id,
            fields: collection.fields.compactMap { field in
                values.first { $0.name == field.name }.map { FieldValues(field.id, $0.values) }
            })
    }

    /// A record of a log, whose fields have one value each, in the order of their numbers; those
    /// without a value are left out.
    init(of collection: Collection, id: RecordID, _ values: [(field: UInt32, value: Value)]) {
        let given = values.filter { $0.value != .null }
        self.init(
            collection: collection.id, id: id,
            fields: given.map { FieldValues($0.field, [$0.value]) })
    }

    /// The value of a field or of a member of a group; nil where there is none.
    func value(_ field: UInt32, member: Int = 0) -> Value? {
        guard let found = fields.first(where: { $0.field == field }),
            found.values.indices.contains(member), found.values[member] != .null
        else { return nil }
        return found.values[member]
    }

    func text(_ field: UInt32, member: Int = 0) -> String? { value(field, member: member)?.asText }

    func flag(_ field: UInt32) -> Bool? {
        if case .bool(let flag)? = value(field) { flag } else { nil }
    }

    func whole(_ field: UInt32, member: Int = 0) -> Int64? {
        if case .int(let number)? = value(field, member: member) { number } else { nil }
    }

    func decimal(_ field: UInt32, member: Int = 0) -> Decimal64? {
        value(field, member: member)?.asDecimal
    }

    func day(_ field: UInt32, member: Int = 0) -> Day? {
        if case .date(let days)? = value(field, member: member) { Day(number: days) } else { nil }
    }

    func instant(_ field: UInt32, member: Int = 0) -> Instant? {
        value(field, member: member)?.asInstant
    }

    func record(_ field: UInt32) -> RecordID? { text(field).flatMap { RecordID($0) } }

    /// The texts of a set.
    func elements(_ field: UInt32) -> [String] {
        guard case .list(let elements)? = value(field) else { return [] }
        return elements.compactMap(\.asText)
    }
}

extension Value {
    var asText: String? { if case .text(let text) = self { text } else { nil } }

    var asDecimal: Decimal64? { if case .decimal(let number) = self { number } else { nil } }

    var asInstant: Instant? {
        if case .instant(let milliseconds) = self {
            Instant(milliseconds: milliseconds)
        } else {
            nil
        }
    }

    /// A text, or no value.
    static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }

    /// A decimal number, or no value.
    static func optional(_ number: Decimal64?) -> Value { number.map(Value.decimal) ?? .null }

    /// A day, or no value.
    static func optional(_ day: Day?) -> Value { day.map { .date($0.number) } ?? .null }

    /// An instant, or no value.
    static func optional(_ instant: Instant?) -> Value {
        instant.map { .instant($0.milliseconds) } ?? .null
    }
}
