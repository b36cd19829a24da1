import LinnetCRDT

/// The changes from one schema to the next, and those among them on which devices could not agree.
package struct SchemaChange: Equatable, Sendable {
    /// The reasons why the change is refused, in sentences; empty when it is allowed.
    package private(set) var problems: [String] = []
    /// The things that are new or get another name, in sentences.
    package private(set) var notes: [String] = []

    /// Compares a schema with the one that takes its place.
    package init(from old: Schema, to new: Schema) {
        for collection in old.collections {
            guard let next = new.collection(id: collection.id) else {
                // The numbers of built-in collections cannot mean anything else later.
                if new.retired.contains(collection.id) {
                    notes.append(
                        "the collection \(collection.name) is retired: what is stored of it stays"
                            + " and is not shown")
                } else if collection.id >= Schema.firstApplicationCollection {
                    problems.append(
                        "the collection \(collection.name) (\(collection.id)) is missing: keep it,"
                            + " or retire its number: \"retired\": [\(collection.id)]")
                }
                continue
            }
            if collection.id >= Schema.firstApplicationCollection { compare(collection, next) }
        }
        compare(retired: old.retired, new.retired, declared: new.collections.map(\.id), "")
        for collection in new.collections
        where old.collection(id: collection.id) == nil && !old.retired.contains(collection.id) {
            notes.append("the collection \(collection.name) is new")
        }
        if old.differsOnlyInIndexes(from: new) { return }
        if new.version <= old.version {
            problems.append(
                "the version must grow: it was \(old.version), so write at least "
                    + "\(UInt64(old.version) + 1)")
        }
    }

    private mutating func compare(_ old: Collection, _ new: Collection) {
        if old.name != new.name {
            notes.append("the collection \(old.name) is called \(new.name)")
        }
        if old.scope != new.scope {
            problems.append(
                "\(old.name): the scope cannot change, since records stay where they were created;"
                    + " declare a new collection")
        }
        if old.kind != new.kind {
            problems.append("\(old.name): records cannot become a log, nor a log records")
        }
        if old.deletePolicy != new.deletePolicy {
            problems.append(
                "\(old.name): what a delete means cannot change, since older devices would"
                    + " disagree; declare a new collection")
        }
        for field in old.fields {
            let path = "\(old.name).\(field.name)"
            guard let next = new.field(id: field.id) else {
                if new.retired.contains(field.id) {
                    notes.append("\(path) is retired: what is stored in it stays and is not shown")
                } else {
                    problems.append(
                        "\(path) (field \(field.id)) is missing: keep it, or retire its number:"
                            + " \"retired\": [\(field.id)]")
                }
                continue
            }
            compare(field, next, path)
        }
        compare(
            retired: old.retired, new.retired, declared: new.fields.map(\.id), "\(new.name): ")
        for field in new.fields
        where old.field(id: field.id) == nil && !old.retired.contains(field.id) {
            notes.append("\(new.name).\(field.name) is new")
        }
    }

    /// Checks that retired numbers stay retired: a device that did not hold them then does not know
    /// what they meant.
    private mutating func compare(
        retired old: [UInt32], _ new: [UInt32], declared: [UInt32], _ place: String
    ) {
        for number in old where !new.contains(number) {
            problems.append(
                declared.contains(number)
                    ? "\(place)the number \(number) is retired and means something else already:"
                        + " take another"
                    : "\(place)the number \(number) is retired: keep it under \"retired\"")
        }
    }

    private static func sentence(about index: FieldIndex?) -> String {
        switch index {
        case .clear: "its values will stand readable in the database file of this device"
        case .blind: "the database file will show which records have equal values"
        case nil: "records are no longer found by it"
        }
    }

    private mutating func compare(_ old: Field, _ new: Field, _ path: String) {
        if old.kind != new.kind {
            problems.append(
                "\(path): its kind cannot change from \(old.kind.name) to \(new.kind.name); declare"
                    + " a new field with \"copyFrom\": \(old.id)")
            return
        }
        if old.name != new.name { notes.append("\(path) is called \(new.name)") }
        if old.index != new.index { notes.append("\(path): \(Self.sentence(about: new.index))") }
        guard old.members.count == new.members.count else {
            problems.append(
                "\(path): a group cannot get or lose members; declare a new field")
            return
        }
        for (before, after) in zip(old.members, new.members) where before.type != after.type {
            if case (.choice(let older), .choice(let newer)) = (before.type, after.type) {
                let gone = older.filter { !newer.contains($0) }
                notes.append(
                    "\(path): the choices change"
                        + (gone.isEmpty
                            ? "" : "; stay where they are stored: \(gone.joined(separator: ", "))"))
            } else {
                problems.append(
                    "\(path): its type cannot change from \(before.type.name) to "
                        + "\(after.type.name); declare a new field with \"copyFrom\": \(old.id)")
            }
        }
    }
}
