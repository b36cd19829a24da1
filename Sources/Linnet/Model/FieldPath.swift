package import LinnetCRDT

/// A field, or one member of a group, by the name that a person uses.
package struct FieldPath: Equatable, Sendable {
    /// The field.
    package let field: Field
    /// The member's place in a group; nil for the field as a whole.
    package let member: Int?

    /// Finds `field`, `field.member`, or a member whose name no other field of the collection has;
    /// throws `unknownField` otherwise.
    package init(_ name: String, in collection: Collection) throws(SchemaError) {
        let found = collection.places(named: name)
        guard let place = found.first, found.count == 1 else { throw .unknownField(name) }
        self.init(field: place.field, member: place.member)
    }

    private init(field: Field, member: Int?) {
        self.field = field
        self.member = member
    }

    /// Returns the values that a write of `value` under this path sets, each with its place in the
    /// field.
    ///
    /// A whole number becomes a decimal one where the schema wants that.
    package func values(of value: Value) throws(SchemaError) -> [(member: Int, value: Value)] {
        if let member { return [(member, fitting(value, member: member))] }
        guard field.kind == .group else { return [(0, fitting(value, member: 0))] }
        guard case .list(let values) = value, values.count == field.members.count else {
            throw .wrongCount(field: field.name, expected: field.members.count)
        }
        return values.enumerated().map { ($0.offset, fitting($0.element, member: $0.offset)) }
    }

    private func fitting(_ value: Value, member: Int) -> Value {
        guard case .int(let number) = value, field.members.indices.contains(member),
            field.members[member].type == .decimal,
            let decimal = Decimal64(mantissa: number, exponent: 0)
        else { return value }
        return .decimal(decimal)
    }
}
