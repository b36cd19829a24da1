import Linnet
package import LinnetCRDT
package import LinnetControl

/// One value of a record by the name that people use: a field, or a member of a group.
package struct Column: Equatable, Sendable {
    /// The field that holds the value.
    package var field: Field
    /// The member's place in the field; 0 where the field has one value.
    package var member: Int

    /// Names a field's place.
    package init(field: Field, member: Int) {
        self.field = field
        self.member = member
    }

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

    /// The value that this column has in a record; nil where it has none.
    package func value(in record: RecordView) -> Value? {
        let values = record.fields.first { $0.field == field.id }?.values ?? []
        guard values.indices.contains(member), values[member] != .null else { return nil }
        return values[member]
    }

    /// This column set to a value.
    package func set(to value: Value) -> ColumnValue {
        ColumnValue(field: field.id, member: member, value: value)
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

/// A value for a column.
package struct ColumnValue: Equatable, Sendable {
    /// The field's number.
    package var field: UInt32
    /// The member's place in the field, 0 where there is one value.
    package var member: Int
    /// The value; null for none.
    package var value: Value

    /// Joins place and value.
    package init(field: UInt32, member: Int = 0, value: Value) {
        self.field = field
        self.member = member
        self.value = value
    }
}

extension [ColumnValue] {
    /// One change for each field, in the order in which they are named first.
    package var changes: [Change] {
        var fields: [UInt32] = []
        for cell in self where !fields.contains(cell.field) { fields.append(cell.field) }
        return fields.map { field in
            .set(
                FieldWrite(
                    field, members: filter { $0.field == field }.map { ($0.member, $0.value) }))
        }
    }

    /// The fields of a log's record: of a group that is named, every member.
    package func whole(_ collection: Collection) -> [FieldValues] {
        collection.fields.compactMap { field in
            let own = filter { $0.field == field.id }
            if own.isEmpty { return nil }
            return FieldValues(
                field.id,
                field.members.indices.map { member in
                    own.first { $0.member == member }?.value ?? .null
                })
        }
    }
}
