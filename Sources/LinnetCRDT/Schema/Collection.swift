/// The meaning of a delete for changes that were made at the same time.
public enum DeletePolicy: UInt8, Sendable {
    /// The record stays deleted; the changes are kept and come back with a restore.
    case deleteWins = 1
    /// A change that the delete had not seen keeps the record alive.
    case updateWins = 2
    /// Records are not deleted: a call to do so is refused, and a received delete has no effect.
    case neverDelete = 3
}

/// The kind of a collection, which says whether its records change after they were created.
public enum CollectionKind: UInt8, Sendable {
    /// Records whose fields change and merge one by one.
    case records = 1
    /// Records that are written once, as a whole, and never change.
    case log = 2
}

/// A kind of record.
public struct Collection: Equatable, Sendable {
    /// The number that stands for the collection in every batch; it is never used again.
    public let id: UInt32
    /// The name within the program.
    public let name: String
    /// The rule for where its records are replicated; it never changes.
    public let scope: ScopeRule
    /// The kind, which says whether its records change; the kind itself never changes.
    public let kind: CollectionKind
    /// The meaning of a delete.
    public let deletePolicy: DeletePolicy
    /// The fields of a record.
    public let fields: [Field]
    /// The numbers of former fields, ascending. Their stored values stay and are not shown, and no
    /// number of them is used again.
    public let retired: [UInt32]
    /// True when it is one of Linnet's own or a demonstration's, which have the numbers below 2000.
    package private(set) var isReserved = false

    /// The same collection as one of Linnet's own or a demonstration's.
    package var reserved: Collection {
        var collection = self
        collection.isReserved = true
        return collection
    }

    /// Describes a kind of record of which every replica holds all records.
    public init(
        id: UInt32, name: String, scope: String, deletePolicy: DeletePolicy = .deleteWins,
        fields: [Field], retired: [UInt32] = []
    ) {
        self.init(
            id: id, name: name, scope: .always(scope), deletePolicy: deletePolicy, fields: fields,
            retired: retired)
    }

    /// Describes a kind of record.
    ///
    /// - Parameters:
    ///   - id: a number from 2000 that is never used again.
    ///   - name: its name for people and the program.
    ///   - scope: the rule for where the records are replicated.
    ///   - deletePolicy: the meaning of a delete.
    ///   - fields: the fields of a record.
    ///   - retired: the numbers of fields that are no longer among them.
    public init(
        id: UInt32, name: String, scope: ScopeRule, deletePolicy: DeletePolicy = .deleteWins,
        fields: [Field], retired: [UInt32] = []
    ) {
        self.id = id
        self.name = name
        self.scope = scope
        kind = .records
        self.deletePolicy = deletePolicy
        self.fields = fields
        self.retired = retired.ascending
    }

    /// Describes records that are written once; their fields are single values or groups.
    public static func log(
        id: UInt32, name: String, scope: ScopeRule, fields: [Field], retired: [UInt32] = []
    ) -> Collection {
        Collection(logID: id, name: name, scope: scope, fields: fields, retired: retired)
    }

    private init(
        logID id: UInt32, name: String, scope: ScopeRule, fields: [Field], retired: [UInt32]
    ) {
        self.id = id
        self.name = name
        self.scope = scope
        kind = .log
        deletePolicy = .neverDelete
        self.fields = fields
        self.retired = retired.ascending
    }

    /// Returns the field with a number; nil if there is none.
    public func field(id: UInt32) -> Field? {
        // Most schemas number their fields from 1 on.
        let place = Int(id) - 1
        if fields.indices.contains(place), fields[place].id == id { return fields[place] }
        return fields.first { $0.id == id }
    }

    /// Returns the field with a name; throws `unknownField` if there is none.
    public func field(named name: String) throws(SchemaError) -> Field {
        guard let field = fields.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw .unknownField(name)
        }
        return field
    }

    /// Throws `wrongIdentifier` unless the collection may have a record of this name.
    public func validate(_ record: RecordID) throws(SchemaError) {
        guard scope.scope(of: record) == nil else { return }
        throw .wrongIdentifier(record.description, expected: scope.expected)
    }

    func checkDefinition() throws(SchemaError) {
        try checkNames(of: [self], name: \.name)
        try checkNames(of: [self], name: \.scope.name)
        try checkNames(of: fields, name: \.name)
        if retired.contains(0) { throw .reservedField(name) }
        if let both = fields.first(where: { retired.contains($0.id) }) {
            throw .retired(name + "." + both.name)
        }
        let ids = fields.map(\.id).sorted()
        if zip(ids, ids.dropFirst()).contains(where: ==) { throw .duplicateField(name) }
        for field in fields {
            try field.checkDefinition()
            if kind == .log, !field.kind.rules.isForLogs {
                throw .notForLogs(field: field.name)
            }
        }
    }
}

/// Throws unless every name is 1 to 64 bytes without control characters and occurs once.
func checkNames<Named>(of named: [Named], name: KeyPath<Named, String>) throws(SchemaError) {
    for element in named {
        guard RecordID.isLegal(element[keyPath: name].utf8) else {
            throw .badName(element[keyPath: name])
        }
    }
    for (index, element) in named.enumerated() {
        let text = element[keyPath: name]
        if named[..<index].contains(where: { $0[keyPath: name].utf8.elementsEqual(text.utf8) }) {
            throw .duplicateField(text)
        }
    }
}
