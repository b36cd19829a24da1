package import Linnet
package import LinnetCRDT

/// One value of a record as people name it: a field, or a member of a group.
package struct Column: Equatable, Sendable {
    /// The field.
    package var field: Field
    /// The member's place in the field, 0 where there is one value.
    package var member: Int

    /// The name of the column in files and assignments.
    package var name: String { field.members[member].name }
    /// What its values may be.
    package var type: ValueType { field.members[member].type }

    /// The columns of a collection, in the order of its schema.
    package static func all(of collection: Collection) -> [Column] {
        collection.fields.flatMap { field in
            field.members.indices.map { Column(field: field, member: $0) }
        }
    }

    /// The column with a name, as `amount` or `dosage.amount`; throws what is there instead.
    package static func named(
        _ name: String, in collection: Collection
    ) throws(ControlFailure) -> Column {
        let columns = all(of: collection)
        let found = columns.first { column in
            column.name == name
                || column.field.kind == .group && "\(column.field.name).\(column.name)" == name
        }
        if let found { return found }
        if let group = collection.fields.first(where: { $0.kind == .group && $0.name == name }) {
            let members = group.members.map(\.name).joined(separator: ", ")
            throw .usage("\(group.name) is a group: name one of its members: \(members)")
        }
        let names = columns.map(\.name)
        let hint = NearMiss.best(for: name, among: names).map { "; did you mean '\($0)'?" }
        throw .usage(
            "\(collection.name) has no field '\(TerminalText.neutral(name))'"
                + (hint ?? "; its fields are \(names.joined(separator: ", "))"))
    }

    /// The value that this column has in a record; nil where it has none.
    package func value(in record: ControlRecord) -> Value? {
        let found = record.values.first { $0.field == field.id && $0.member == member }
        guard let value = found?.value, value != .null else { return nil }
        return value
    }

    /// This column set to a value.
    package func set(to value: Value) -> ControlField {
        ControlField(field: field.id, member: UInt32(member), value: value)
    }

    /// Finds a collection by its name.
    package static func collection(
        named name: String, in schema: Schema
    ) throws(ControlFailure) -> Collection {
        let all = schema.collections
        if let found = all.first(where: { $0.name == name }) { return found }
        let names = all.map(\.name)
        let hint = NearMiss.best(for: name, among: names).map { "; did you mean '\($0)'?" }
        throw .usage(
            "there is no collection '\(TerminalText.neutral(name))'"
                + (hint ?? "; there are \(names.joined(separator: ", "))"))
    }
}
