import LinnetCRDT

/// Tells which fields may be filled from an older field.
///
/// Each upgraded device may copy, so two copies of one record must merge into one. That holds for
/// latest values, equal concurrent values, elements of a set, keys of a tally, and pieces of text
/// that are named by their content.
package enum SchemaCopying {
    /// Returns the reason why a field cannot be filled from an older one; nil when it can.
    package static func refusal(of field: Field, from source: Field) -> String? {
        switch (field.kind.form, source.kind.form) {
        case (.place, .place): return nil
        case (.place, _): return "\(source.name) holds no places: an order is copied from an order"
        case (.members, .members):
            let types = { (field: Field) in field.members.map(\.type.name) }
            if types(field) == types(source) { return nil }
            return "the group \(source.name) has members of other types"
        case (.members, _), (_, .members):
            return "\(source.name) has not the same form: a group is copied into a group"
        case _
        where field.kind.rules.copySources.contains(source.kind)
            || source.kind.rules.copyTargets.contains(field.kind):
            if fits(source.members[0].type, into: field.members[0].type) { return nil }
            return "\(source.name) holds \(source.members[0].type.name), which is not what "
                + "\(field.name) holds"
        default:
            return "what \(source.name) holds has no place in this kind"
        }
    }

    private static func fits(_ source: ValueType, into type: ValueType) -> Bool {
        if source.name == type.name { return true }
        switch (source, type) {
        case (.int, .decimal), (_, .text): return true
        default: return false
        }
    }

    /// Returns a value of the older field in the type of the new one.
    package static func converted(_ value: Value, to type: ValueType) -> Value {
        switch (value, type) {
        case (.list(let elements), _): return .list(elements.map { converted($0, to: type) })
        case (.text, _), (.null, _): return value
        case (.int(let number), .decimal):
            return Decimal64(mantissa: number, exponent: 0).map(Value.decimal) ?? .null
        case (_, .text): return .text(value.description)
        default: return value
        }
    }
}
