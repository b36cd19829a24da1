import Linnet
import LinnetCRDT
import LinnetControl
import LinnetReplication

// The verbs that write records.
extension Verb {
    static let writingVerbs: [Verb] = [
        Verb("write", isWrite: true) { (call) async throws(ControlFailure) in
            try await write(call, onlyLogs: false)
        },
        Verb("insert", isWrite: true) { (call) async throws(ControlFailure) in
            try await write(call, onlyLogs: true)
        },
        Verb("edit", isWrite: true) { (call) async throws(ControlFailure) in
            let place = try await place(call, writable: true)
            let change = try edit(place, call.members)
            return try await commit(
                [.changes(Write(place.key, [change]))], of: place, try call.members.intent(), call)
        },
        Verb("delete", isWrite: true) { (call) async throws(ControlFailure) in
            let place = try await place(call, writable: true)
            let intent = try call.members.intent()
            if intent == nil,
                try await call.gateway.record(place.collection, place.id) == nil
            {
                throw place.missing
            }
            return try await commit(
                [.changes(Write(place.key, [.delete]))], of: place, intent, call)
        },
        Verb("undelete", isWrite: true) { (call) async throws(ControlFailure) in
            let place = try await place(call, writable: true)
            return try await commit(
                [.changes(Write(place.key, [.restore]))], of: place, try call.members.intent(),
                call)
        },
        Verb("move", isWrite: true) { (call) async throws(ControlFailure) in
            let place = try await place(call, writable: true)
            let intent = try call.members.intent()
            let request = try move(place, call.members)
            // A move writes a place: of what is not there, it would make a record of nothing else.
            if intent == nil,
                try await call.gateway.record(place.collection, place.id) == nil
            {
                throw place.missing
            }
            return try await commit([request], of: place, intent, call)
        },
    ]

    private static func write(
        _ call: Call, onlyLogs: Bool
    ) async throws(ControlFailure) -> JSON {
        let place = try await place(call, writable: true)
        if onlyLogs, place.collection.kind != .log {
            throw .usage("\(place.collection.name) is not a log: use 'write'")
        }
        let requests = try FieldWriting.requests(
            try call.members.object("fields"), of: place.key, place.collection)
        return try await commit(requests, of: place, try call.members.intent(), call)
    }

    private static func commit(
        _ requests: [WriteRequest], of place: RecordPath, _ intent: [UInt8]?, _ call: Call
    ) async throws(ControlFailure) -> JSON {
        place.json(try await call.gateway.ask(WritingRequest(requests, intent: intent)))
    }

    /// Reads an edit of a text, which counts as the program that asks for it does.
    private static func edit(
        _ place: RecordPath, _ members: VerbMembers
    ) throws(ControlFailure) -> Change {
        let field = try Column.named(try members.text("field"), in: place.collection).field
        guard field.kind == .text else { throw .usage("\(field.name) is not an editable text") }
        let word = try members.optionalText("unit") ?? TextUnit.characters.rawValue
        guard let unit = TextUnit(rawValue: word) else {
            let units = TextUnit.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("'unit' is one of \(units)")
        }
        guard let offset = try members.optionalWhole("at", in: 0...UInt64(Int.max)) else {
            throw .usage("'at' is missing")
        }
        return .edit(
            field: field.id, at: Int(offset),
            deleting: Int(try members.whole("delete", in: 0...UInt64(Int.max), usual: 0)),
            inserting: try members.optionalText("insert") ?? "", unit: unit)
    }

    private static func move(
        _ place: RecordPath, _ members: VerbMembers
    ) throws(ControlFailure) -> WriteRequest {
        let field = try Column.named(try members.text("field"), in: place.collection).field
        guard field.kind == .order else { throw .usage("\(field.name) is not an order") }
        let given = ["first", "last", "before", "after"].filter { members.value($0) != nil }
        guard given.count == 1, let direction = given.first else {
            throw .usage("give one of 'first', 'last', 'before' and 'after'")
        }
        let target: OrderPlace
        switch direction {
        case "first": target = .first
        case "last": target = .last
        default:
            let other = try members.text(direction)
            guard RecordID(other) != nil, other != place.id.description else {
                throw .usage("'\(direction)' is the identifier of another record")
            }
            target = direction == "after" ? .after(other) : .before(other)
        }
        return .move(place.key, field: field.id, to: target)
    }
}
