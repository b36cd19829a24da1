package import LinnetCRDT

/// A field, a member of a group or the identifier, as a name in a collection means it.
struct FieldReference: Equatable, Sendable {
    /// The field; nil for the identifier.
    let field: Field?
    /// The member's place in a group; nil for a field as a whole.
    let member: Int?

    /// Refers to a field as a whole.
    init(_ field: Field) {
        self.field = field
        member = nil
    }

    /// Finds `field`, `field.member`, a member whose name no other group of the collection has, or
    /// `id`; throws `unknownField` for all others.
    init(_ name: String, in collection: Collection) throws(SchemaError) {
        let place = collection.places(named: name)
        if let only = place.first, place.count == 1 {
            field = only.field
            member = only.member
        } else if place.isEmpty, name.utf8.elementsEqual("id".utf8) {
            field = nil
            member = nil
        } else {
            throw .unknownField(name)
        }
    }

    /// True when a record without a value follows the others, since nobody has moved it yet.
    var sortsMissingLast: Bool { field?.kind.form == .place }

    /// Returns the value in a record; nil when it has none.
    func value(in view: RecordView) -> Value? {
        guard let field else { return .text(view.id.description) }
        guard let values = view.fields.first(where: { $0.field == field.id })?.values else {
            return nil
        }
        if let member { return values.indices.contains(member) ? values[member] : nil }
        return field.kind == .group ? .list(values) : values.first
    }

    /// Returns the values of which one has to pass a test; of a field that keeps several, all that
    /// show.
    func candidates(in view: RecordView) -> [Value] {
        guard let value = value(in: view) else { return [.null] }
        if let field, view.conflicts.contains(field.id), case .list(let several) = value {
            return several
        }
        return [value]
    }
}

extension Collection {
    /// Returns the fields and members of groups that a name may mean: one, unless the name is
    /// unknown or ambiguous.
    package func places(named name: String) -> [(field: Field, member: Int?)] {
        if let field = fields.first(where: { $0.name == name }) { return [(field, nil)] }
        var found: [(field: Field, member: Int?)] = []
        for field in fields where field.kind == .group {
            for (index, member) in field.members.enumerated()
            where member.name == name || "\(field.name).\(member.name)" == name {
                found.append((field, index))
            }
        }
        return found
    }
}
