import LinnetCRDT

extension SchemaFile {
    /// The file on one line; equal schemas have equal texts.
    package var text: String { json.line }

    /// The file as JSON, which ``init(reading:)`` reads back.
    package var json: JSON {
        let shown = schema.collections.filter { $0 != Schema.devices }
        return .object(
            [
                JSON.Member("version", .integer(schema.version)),
                JSON.Member("collections", .array(shown.map(json))),
            ] + retired(schema.retired))
    }

    private func retired(_ numbers: [UInt32]) -> [JSON.Member] {
        numbers.isEmpty ? [] : [JSON.Member("retired", .array(numbers.map { .integer($0) }))]
    }

    private func json(_ collection: Collection) -> JSON {
        if collection.isReserved { return ["builtIn": .text(collection.name)] }
        var members = [
            JSON.Member("id", .integer(collection.id)), JSON.Member("name", .text(collection.name)),
            JSON.Member("scope", json(collection.scope)),
        ]
        if collection.kind == .log {
            members.append(JSON.Member("kind", "log"))
        } else if collection.deletePolicy != .deleteWins {
            let policy = SchemaFileReader.policies.first { $0.value == collection.deletePolicy }
            members.append(JSON.Member("delete", .text(policy?.name ?? "")))
        }
        let fields = collection.fields.map { json($0, in: collection.id) }
        return .object(
            members + [JSON.Member("fields", .array(fields))] + retired(collection.retired))
    }

    private func json(_ scope: ScopeRule) -> JSON {
        switch scope {
        case .always(let name): return .text(name)
        case .optional(let name): return ["optional": .text(name)]
        case .divided(let name, let division):
            let by = SchemaFileReader.divisions.first { $0.value == division }?.name ?? ""
            return ["name": .text(name), "by": .text(by)]
        }
    }

    private func json(_ field: Field, in collection: UInt32) -> JSON {
        var members = [
            JSON.Member("id", .integer(field.id)), JSON.Member("name", .text(field.name)),
        ]
        if field.kind == .group {
            let inner = field.members.map { member in
                JSON.object([JSON.Member("name", .text(member.name)), type(member.type)])
            }
            members.append(JSON.Member("group", .array(inner)))
        } else {
            if field.kind != .lww { members.append(JSON.Member("kind", .text(field.kind.name))) }
            if field.kind.rules.onlyType == nil { members.append(type(field.members[0].type)) }
        }
        if let index = field.index {
            members.append(JSON.Member("index", .text(index.rawValue)))
        }
        let copy = copies.first { $0.collection == collection && $0.field == field.id }
        if let copy { members.append(JSON.Member("copyFrom", .integer(copy.source))) }
        return .object(members)
    }

    private func type(_ type: ValueType) -> JSON.Member {
        switch type {
        case .choice(let values): return JSON.Member("choice", .array(values.map(JSON.text)))
        case .reference(let id):
            return JSON.Member("reference", .text(schema.collection(id: id)?.name ?? "\(id)"))
        default: return JSON.Member("type", .text(type.name))
        }
    }
}
