public import LinnetCRDT

/// A live record as it is visible now.
public struct Record: Equatable, Sendable {
    /// One value of a record.
    public struct Cell: Equatable, Sendable {
        /// The field's name.
        public let field: String
        /// The name of the member in a group; nil in a field that is not a group.
        public let member: String?
        /// The value.
        public let value: Value

        /// The name of the column: the member's, or else the field's.
        public var name: String { member ?? field }
    }

    /// The name of the collection.
    public let collection: String
    /// The record's identifier.
    public let id: String
    /// The values in the order of the schema, a group's members one by one.
    public let cells: [Cell]
    /// The fields that hold several concurrent values, each in a list.
    public let conflicts: [String]
    /// True when two devices wrote different records of a log under this identifier.
    public let isCollision: Bool
    /// The standing of the record: whether everything that it refers to is there.
    public let standing: RecordStanding

    /// The value of a field, of a member of a group by its own name, or of `field.member`; nil when
    /// there is none.
    ///
    /// A group as a whole is a list of its members' values.
    public subscript(_ name: String) -> Value? {
        if let whole = value(ofField: name) { return whole }
        return cells.first { cell in
            guard let member = cell.member else { return false }
            return member == name || "\(cell.field).\(member)" == name
        }?.value
    }

    private func value(ofField name: String) -> Value? {
        let own = cells.filter { $0.field == name }
        guard let first = own.first else { return nil }
        return first.member == nil ? first.value : .list(own.map(\.value))
    }
}
