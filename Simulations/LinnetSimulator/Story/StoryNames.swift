import LinnetCRDT

/// Collections and fields in the words of the workload.
struct StoryNames {
    private var collections: [UInt32: Collection] = [:]

    /// The names of the newest schema that has them.
    init(_ schemas: [Schema]) {
        for schema in schemas {
            for collection in schema.collections { collections[collection.id] = collection }
        }
    }

    /// A record with its collection.
    func record(_ key: RecordKey) -> String { "\(collection(key.collection))/\(key.record)" }

    /// A record with its collection and the fields that are meant; none stands for all of it.
    func record(_ key: RecordKey, fields: [UInt32]) -> String {
        let named = fields.filter { $0 != 0 }.map { field($0, of: key.collection) }
        return record(key) + (named.isEmpty ? "" : ": " + named.joined(separator: ", "))
    }

    private func collection(_ number: UInt32) -> String {
        collections[number]?.name ?? "collection \(number)"
    }

    private func field(_ number: UInt32, of collection: UInt32) -> String {
        collections[collection]?.field(id: number)?.name ?? "field \(number)"
    }

    /// The write of a person or an application.
    func write(_ request: SimulatedWrite) -> String {
        let shown = request.writes.prefix(3).map { write in
            record(write.key) + ": "
                + write.changes.prefix(4).map { change($0, write.key.collection) }
                .joined(separator: ", ")
        }
        let more = request.writes.count - shown.count
        return shown.joined(separator: "; ")
            + (more > 0 ? "; and \(StoryWords.counted(more, "record")) more" : "")
            + (request.isRelaxed ? " (relaxed: it returns before it is durable)" : "")
    }

    private func change(_ change: Change, _ collection: UInt32) -> String {
        let name = { (number: UInt32) in field(number, of: collection) }
        return switch change {
        case .set(let written):
            "sets \(name(written.field))"
                + (written.values.count == 1 ? Self.shown(written.values[0].value) : "")
        case .keep(let field, let values):
            "keeps \(StoryWords.counted(values.count, "value")) in \(name(field))"
        case .count(let field, let key, let amount):
            "counts\(Self.shown(amount, before: " ")) in \(name(field)) under \(key)"
        case .recount(let field, let amount): "recounts \(name(field))\(Self.shown(amount))"
        case .add(let field, let value): "adds\(Self.shown(value, before: " ")) to \(name(field))"
        case .remove(let field, let value):
            "removes\(Self.shown(value, before: " ")) from \(name(field))"
        case .edit(let field, let place, let count, let text, _):
            "types into \(name(field)) at \(place): \(count) out, \(text.count) in"
        case .splice(let field, _): "types into \(name(field))"
        case .rewrite(let field, _): "rewrites \(name(field))"
        case .copy(let field, _): "copies into \(name(field))"
        case .insert: "writes all of it"
        case .delete: "deletes it"
        case .restore: "restores it"
        }
    }

    /// A value that is short enough to be shown; nothing otherwise.
    private static func shown(_ value: Value, before: String = " to ") -> String {
        let text: String? =
            switch value {
            case .text(let text): text.utf8.count <= 40 ? "\"\(text)\"" : nil
            case .int(let number): "\(number)"
            case .bool(let bool): "\(bool)"
            case .decimal(let decimal): "\(decimal)"
            case .double(let number): "\(number)"
            case .null: "nothing"
            case .bytes, .instant, .date, .list: nil
            }
        return text.map { before + $0 } ?? (before == " to " ? "" : " something")
    }
}
