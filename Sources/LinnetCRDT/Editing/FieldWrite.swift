/// A new value of one field.
package struct FieldWrite: Equatable, Sendable {
    /// The field's number.
    package let field: UInt32
    /// The new value of a field that is no group, which most are; it needs no list of its own.
    package let only: Value?
    /// The new values of the members of a group that are given.
    private let members: [(member: Int, value: Value)]

    /// The new value; of a group, those of the members given, by their place in the schema.
    package var values: [(member: Int, value: Value)] {
        if let only { [(member: 0, value: only)] } else { members }
    }

    /// Sets a field with one value.
    package init(_ field: UInt32, _ value: Value) {
        self.field = field
        only = value
        members = []
    }

    /// Sets some members of a group; the others keep the visible value.
    package init(_ field: UInt32, members: [(Int, Value)]) {
        self.field = field
        only = nil
        self.members = members.map { (member: $0.0, value: $0.1) }
    }

    /// Returns true when both write the same.
    package static func == (left: FieldWrite, right: FieldWrite) -> Bool {
        left.field == right.field
            && left.values.elementsEqual(right.values) {
                $0.member == $1.member && $0.value == $1.value
            }
    }
}
