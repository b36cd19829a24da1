import LinnetCRDT

/// Finds where a device's schema contradicts its group's in matters on which devices must agree.
package enum SchemaContradiction {
    /// Returns each contradiction as a sentence that names the collection and the field; none when
    /// both devices merge everything that they know alike.
    package static func sentences(of own: Schema, against group: Schema) -> [String] {
        var found: [String] = []
        for collection in own.collections {
            if group.retired.contains(collection.id) {
                found.append("\(collection.name) (\(collection.id)): the group has retired it")
            }
            guard let theirs = group.collection(id: collection.id) else { continue }
            found += sentences(collection, theirs)
        }
        for number in own.retired {
            guard let theirs = group.collection(id: number) else { continue }
            found.append("\(theirs.name) (\(number)): this schema has retired it")
        }
        return found
    }

    private static func sentences(_ own: Collection, _ group: Collection) -> [String] {
        let name = "\(own.name) (\(own.id))"
        if own.kind != group.kind {
            return [
                "\(name): \(group.kind == .log ? "a log" : "records") in the group, "
                    + "\(own.kind == .log ? "a log" : "records") here"
            ]
        }
        var found: [String] = []
        if own.scope != group.scope {
            found.append(
                "\(name): scope \(text(group.scope)) in the group, \(text(own.scope)) here")
        }
        if own.deletePolicy != group.deletePolicy {
            found.append(
                "\(name): delete \(text(group.deletePolicy)) in the group, "
                    + "\(text(own.deletePolicy)) here")
        }
        for field in own.fields {
            if group.retired.contains(field.id) {
                found.append("\(own.name).\(field.name) (\(field.id)): the group has retired it")
            }
            guard let theirs = group.field(id: field.id) else { continue }
            if let sentence = sentence(field, theirs, in: own) { found.append(sentence) }
        }
        return found
    }

    private static func sentence(
        _ own: Field, _ group: Field, in collection: Collection
    ) -> String? {
        if own.mergesLike(group) { return nil }
        return "\(collection.name).\(own.name) (\(own.id)): \(text(group)) in the group, "
            + "\(text(own)) here"
    }

    private static func text(_ field: Field) -> String {
        if field.kind.rules.onlyType != nil { return field.kind.name }
        let types = field.members.map(\.type.name).joined(separator: ", ")
        return field.kind == .lww ? types : "\(field.kind.name) of \(types)"
    }

    private static func text(_ scope: ScopeRule) -> String {
        switch scope {
        case .always(let name): name
        case .optional(let name): "\(name), optional"
        case .divided(let name, let division): "\(name)/\(division.expected)"
        }
    }

    private static func text(_ policy: DeletePolicy) -> String {
        SchemaFileReader.policies.first { $0.value == policy }?.name ?? ""
    }
}

extension Field {
    /// Returns true when changes that devices write in both merge; names and choices may differ.
    func mergesLike(_ other: Field) -> Bool {
        kind == other.kind && members.count == other.members.count
            && zip(members, other.members).allSatisfy { left, right in
                if case (.choice, .choice) = (left.type, right.type) { return true }
                return left.type == right.type
            }
    }
}
