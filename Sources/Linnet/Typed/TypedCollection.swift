public import LinnetCRDT
public import LinnetReplication

/// A collection whose records are values of an application's type.
///
/// The type is `Codable`; its coding keys have the names of the fields, of the members of groups
/// and of the identifier. A field that was never written reads as its type's blank: an empty text
/// or set, zero, false, or nil for an optional.
public struct TypedCollection<Root: Codable & Sendable>: Sendable {
    /// The collection, for the schema.
    public let collection: Collection
    /// The fields and their properties.
    let fields: [TypedField<Root>]
    /// Returns the identifier of a value.
    let identifier: @Sendable (Root) -> String
    /// The coding key of the identifier.
    let identifierName: String

    /// Describes a collection that every replica holds whole.
    ///
    /// - Parameters:
    ///   - id: the number that stands for the collection in every batch; never reused.
    ///   - name: the name within the program.
    ///   - scope: the name of the scope.
    ///   - deletePolicy: the meaning of a delete for changes made at the same time.
    ///   - isLog: true when records are written once and never change.
    ///   - identifier: the property that identifies a record.
    ///   - identifierName: its coding key.
    ///   - fields: the fields and their properties.
    public init(
        id: UInt32, name: String, scope: String, deletePolicy: DeletePolicy = .deleteWins,
        isLog: Bool = false, identifiedBy identifier: FieldPathTo<Root, String>,
        named identifierName: String = "id", fields: [TypedField<Root>]
    ) {
        self.init(
            id: id, name: name, scope: .always(scope), deletePolicy: deletePolicy, isLog: isLog,
            identifiedBy: identifier, named: identifierName, fields: fields)
    }

    /// Describes a collection by the rule of its scope.
    public init(
        id: UInt32, name: String, scope: ScopeRule, deletePolicy: DeletePolicy = .deleteWins,
        isLog: Bool = false, identifiedBy identifier: FieldPathTo<Root, String>,
        named identifierName: String = "id", fields: [TypedField<Root>]
    ) {
        let plain = fields.map(\.field)
        collection =
            isLog
            ? .log(id: id, name: name, scope: scope, fields: plain)
            : Collection(
                id: id, name: name, scope: scope, deletePolicy: deletePolicy, fields: plain)
        self.fields = fields
        self.identifier = { $0[keyPath: identifier] }
        self.identifierName = identifierName
    }

    /// The name of a property's field, for conditions; a property without a field is refused there.
    public subscript(_ path: PartialKeyPath<Root>) -> FieldName {
        let found = fields.first { field in
            field.path.map { $0 as PartialKeyPath<Root> == path } ?? false
        }
        return FieldName(found?.field.name ?? "\(path)")
    }
}

extension TypedCollection where Root: Identifiable, Root.ID == String {
    /// Describes a collection that every replica holds whole, of values that have an `id`.
    public init(
        id: UInt32, name: String, scope: String, deletePolicy: DeletePolicy = .deleteWins,
        isLog: Bool = false, fields: [TypedField<Root>]
    ) {
        self.init(
            id: id, name: name, scope: scope, deletePolicy: deletePolicy, isLog: isLog,
            identifiedBy: \.id, fields: fields)
    }
}

extension TypedCollection {
    /// Reads a value from a record.
    func value(of record: Record) throws(LinnetError) -> Root {
        do {
            return try Root(
                from: RecordDecoder(record, in: collection, identifierName: identifierName))
        } catch {
            throw .unreadable(record.id)
        }
    }

    /// Returns the changes that make `new` of `old`, or of nothing; the identifier is that of
    /// `new`.
    func changes(from old: Root?, to new: Root) -> Transaction {
        var transaction = Transaction()
        let id = identifier(new)
        var values: [String: Value] = [:]
        for field in fields where field.path != nil {
            let before = old.map(field.read)
            let after = field.read(new)
            guard before != after else { continue }
            for step in steps(of: field.field, from: before, to: after, &values) {
                transaction.append(step, to: collection.name, id)
            }
        }
        if collection.kind == .log {
            transaction.insert(collection.name, id, values)
        } else if !values.isEmpty {
            transaction.set(collection.name, id, values)
        } else if old == nil, transaction.changes.isEmpty,
            let plain = collection.fields.first(where: { $0.kind == .lww })
        {
            transaction.set(collection.name, id, [plain.name: .null])
        }
        return transaction
    }

    private func steps(
        of field: Field, from before: [Value]?, to after: [Value],
        _ values: inout [String: Value]
    ) -> [Transaction.Step] {
        let value = after.first ?? .null
        switch field.kind.form {
        case .single, .several, .file:
            if before != nil || value != .null { values[field.name] = value }
        case .members:
            for (index, member) in field.members.enumerated()
            where before?[index] != after[index] {
                values["\(field.name).\(member.name)"] = after[index]
            }
        case .amount:
            guard let old = before?.first, let amount = value.difference(from: old) else {
                return value == .int(0) ? [] : [.recount(field.name, value)]
            }
            return [.count(field.name, amount, key: nil)]
        case .elements:
            guard case .list(let elements) = value else { return [] }
            var gone: [Value] = []
            if case .list(let old)? = before?.first { gone = old.filter { !elements.contains($0) } }
            var known: [Value] = []
            if case .list(let old)? = before?.first { known = old }
            return gone.map { .remove(field.name, $0) }
                + elements.filter { !known.contains($0) }.map { .add(field.name, $0) }
        case .text:
            guard case .text(let text) = value, before != nil || !text.isEmpty else { return [] }
            return [.rewrite(field.name, text)]
        case .place:
            break
        }
        return []
    }
}

extension Value {
    /// Returns the amount that was added to another one; nil when there is no such amount.
    fileprivate func difference(from old: Value) -> Value? {
        switch (self, old) {
        case (.int(let new), .int(let old)):
            let (difference, overflow) = new.subtractingReportingOverflow(old)
            return overflow ? nil : .int(difference)
        case (.decimal(let new), .decimal(let old)):
            guard let negative = Decimal64(mantissa: -old.mantissa, exponent: old.exponent)
            else { return nil }
            return .decimal(Decimal64.sum([new, negative]))
        default: return nil
        }
    }
}
