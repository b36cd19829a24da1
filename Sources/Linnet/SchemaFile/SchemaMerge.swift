import LinnetCRDT

/// Joins several published schemas. The result depends on their set alone, so that devices that
/// upgraded apart agree once each has the other's.
///
/// The schemas are taken in the order of (version, bytes). The first one settles what a number
/// means; the last one settles names, choices and copies.
package struct SchemaMerge {
    /// The joined schema, without indexes; nil when there is none.
    package private(set) var file: SchemaFile?

    /// Joins schemas; equal ones count once.
    package init(_ files: [SchemaFile]) {
        let plain = files.map { SchemaFile($0.schema.unindexed, copies: $0.copies) }
        let ordered = plain.map { (file: $0, text: Array($0.text.utf8)) }.sorted { left, right in
            left.file.schema.version == right.file.schema.version
                ? left.text.lexicographicallyPrecedes(right.text)
                : left.file.schema.version < right.file.schema.version
        }
        for (next, _) in ordered {
            guard let before = file else {
                file = next
                continue
            }
            // A schema that cannot stand beside those before it does not count.
            file = Self.joined(before, next) ?? before
        }
    }

    /// Joins schemas, and adds one after them whatever its version is.
    package init(_ files: [SchemaFile], last: SchemaFile) {
        self.init(files)
        file = file.map { Self.joined($0, last) ?? $0 } ?? last
    }

    private static func joined(_ old: SchemaFile, _ new: SchemaFile) -> SchemaFile? {
        let retired = old.schema.retired + new.schema.retired
        let isConcurrent = old.schema.version == new.schema.version
        var collections = old.schema.collections.map { collection in
            new.schema.collection(id: collection.id).map {
                joined(collection, $0, isConcurrent: isConcurrent)
            } ?? collection
        }
        collections += new.schema.collections.filter { old.schema.collection(id: $0.id) == nil }
        collections.removeAll { retired.contains($0.id) }
        let named = distinct(collections.sorted { $0.id < $1.id })
        do throws(SchemaError) {
            let schema = try Schema(
                version: max(old.schema.version, new.schema.version), collections: named,
                retired: retired)
            return SchemaFile(schema, copies: copies(old.copies, new.copies, in: schema))
        } catch {
            return nil
        }
    }

    private static func joined(
        _ old: Collection, _ new: Collection, isConcurrent: Bool
    ) -> Collection {
        guard old.id >= Schema.firstApplicationCollection, old.kind == new.kind else { return old }
        let retired = old.retired + new.retired
        var fields = old.fields.map { field in
            new.field(id: field.id).map { joined(field, $0, isConcurrent: isConcurrent) } ?? field
        }
        fields += new.fields.filter { old.field(id: $0.id) == nil }
        fields.removeAll { retired.contains($0.id) }
        return old.with(name: new.name, fields: distinct(fields), retired: retired)
    }

    private static func joined(_ old: Field, _ new: Field, isConcurrent: Bool) -> Field {
        guard old.mergesLike(new) else { return old }
        let members = zip(old.members, new.members).map { before, after in
            var type = after.type
            if isConcurrent, case (.choice(let first), .choice(let second)) = (before.type, type) {
                type = .choice(first + second.filter { !first.contains($0) })
            }
            return Field.Member(after.name, type)
        }
        return new.with(name: new.name, members: members)
    }

    /// Returns the fields to fill, as far as both fields are there in this order.
    private static func copies(
        _ old: [SchemaFile.Copy], _ new: [SchemaFile.Copy], in schema: Schema
    ) -> [SchemaFile.Copy] {
        let kept = old.filter { copy in
            !new.contains { $0.collection == copy.collection && $0.field == copy.field }
        }
        return (kept + new).filter { copy in
            guard let collection = schema.collection(id: copy.collection),
                let field = collection.fields.firstIndex(where: { $0.id == copy.field }),
                let source = collection.fields.firstIndex(where: { $0.id == copy.source })
            else { return false }
            return source < field
                && SchemaCopying.refusal(
                    of: collection.fields[field], from: collection.fields[source]) == nil
        }.sorted { ($0.collection, $0.field) < ($1.collection, $1.field) }
    }

    private static func distinct(_ collections: [Collection]) -> [Collection] {
        let names = distinctNames(collections.map { ($0.id, $0.name) })
        return zip(collections, names).map { $0.with(name: $1, fields: $0.fields) }
    }

    private static func distinct(_ fields: [Field]) -> [Field] {
        let names = distinctNames(fields.map { ($0.id, $0.name) })
        return zip(fields, names).map { $0.with(name: $1, members: $0.members) }
    }

    /// Makes names distinct: of several things with one name, the one with the smallest number
    /// keeps it, and the others get their number behind it.
    private static func distinctNames(_ named: [(id: UInt32, name: String)]) -> [String] {
        var taken: [String] = named.map(\.name)
        return named.map { thing in
            let isFirst = !named.contains { $0.id < thing.id && $0.name == thing.name }
            if isFirst { return thing.name }
            var name = "\(shortened(thing.name))-\(thing.id)"
            while taken.contains(name) { name += "-" }
            taken.append(name)
            return name
        }
    }

    /// Returns the first characters of a name, at most 40 bytes.
    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 40 { short.removeLast() }
        return short
    }
}

extension Collection {
    /// Returns the same collection with other names and fields.
    fileprivate func with(name: String, fields: [Field], retired: [UInt32]? = nil) -> Collection {
        // Linnet's own collections are as this version has them.
        if id < Schema.firstApplicationCollection { return self }
        let retired = retired ?? self.retired
        if kind == .log {
            return .log(id: id, name: name, scope: scope, fields: fields, retired: retired)
        }
        return Collection(
            id: id, name: name, scope: scope, deletePolicy: deletePolicy, fields: fields,
            retired: retired)
    }
}

extension Field {
    /// Returns the same field with other names and choices, and without its index.
    fileprivate func with(name: String, members: [Member]) -> Field {
        kind == .group
            ? Field(id: id, name: name, group: members)
            : Field(id: id, name: name, kind: kind, type: members.first?.type)
    }
}
