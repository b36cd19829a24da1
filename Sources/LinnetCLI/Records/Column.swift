package import Linnet
package import LinnetCRDT

/// One value of a record by the name that people use: a field, or a member of a group.
package struct Column: Equatable, Sendable {
    /// The field that holds the value.
    package var field: Field
    /// The member's place in the field; 0 where the field has one value.
    package var member: Int

    /// The name of the column in files and assignments.
    package var name: String { field.members[member].name }
    /// The type of its values.
    package var type: ValueType { field.members[member].type }

    /// Returns the columns of a collection, in the order of its schema.
    package static func all(of collection: Collection) -> [Column] {
        collection.fields.flatMap { field in
            field.members.indices.map { Column(field: field, member: $0) }
        }
    }

    /// Returns the column of a name such as `amount` or `dosage.amount`; the failure names the
    /// nearest one, or all that there are.
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

    /// Returns the value of this column in a record; nil where it has none.
    package func value(in record: ControlRecord) -> Value? {
        let found = record.values.first { $0.field == field.id && $0.member == member }
        guard let value = found?.value, value != .null else { return nil }
        return value
    }

    /// Returns this column with a value.
    package func set(to value: Value) -> ControlField {
        ControlField(field: field.id, member: UInt32(member), value: value)
    }

    /// Returns the collection of a name; the failure names the nearest one, or all that there are.
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
