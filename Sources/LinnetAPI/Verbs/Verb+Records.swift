import Linnet
import LinnetCRDT
import LinnetControl
import LinnetReplication
import LinnetWire

// The verbs that read records.
extension Verb {
    static let recordVerbs: [Verb] = [
        Verb("query") { (call) async throws(ControlFailure) in
            let (collection, query) = try await query(call)
            let plan = try await call.gateway.ask(PlanRequest(query))
            let start = ContinuousClock.now
            let page = try await call.gateway.ask(PageRequest(query))
            let time = ContinuousClock.now - start
            return [
                "records": .array(page.records.map { record($0, collection, call) }),
                "next": page.next.map(JSON.text) ?? .null, "plan": text(plan),
                "tookMicroseconds": .integer(Int64(time / .microseconds(1))),
            ]
        },
        Verb("count") { (call) async throws(ControlFailure) in
            let (_, query) = try await query(call)
            return ["count": .integer(try await call.gateway.ask(CountRequest(query)))]
        },
        Verb("figures") { (call) async throws(ControlFailure) in
            let (_, query) = try await query(call)
            let request = try figures(of: query, call.members)
            let plan = try await call.gateway.ask(FiguresPlanRequest(request))
            let groups = try await call.gateway.ask(request)
            return [
                "groups": .array(
                    groups.map {
                        call.group(FigureText.json($0, request.aggregates, by: request.fields))
                    }), "plan": text(plan),
            ]
        },
        Verb("plan") { (call) async throws(ControlFailure) in
            let (_, query) = try await query(call)
            return text(try await call.gateway.ask(PlanRequest(query)))
        },
        Verb("get") { (call) async throws(ControlFailure) in
            let place = try await place(call)
            let found = try await call.gateway.record(place.collection, place.id)
            var deleted: ControlTrash?
            if found == nil, place.collection.kind == .records {
                deleted = try await call.gateway.trash(of: place.collection)
                    .first { $0.record.id == place.id }
            }
            return [
                "record": found.map { record($0, place.collection, call) } ?? .null,
                "deleted": deleted.map { trashed($0, place.collection, call) } ?? .null,
            ]
        },
        Verb("trash") { (call) async throws(ControlFailure) in
            let schema = try await call.gateway.schemaFile().schema
            let name = try call.members.text("collection")
            let collection = try Column.collection(named: name, in: schema)
            let limit = Int(try call.members.whole("limit", in: 1...1_000, usual: 100))
            let all = try await call.gateway.trash(of: collection)
            return [
                "records": .array(all.prefix(limit).map { trashed($0, collection, call) }),
                "more": .bool(all.count > limit),
            ]
        },
        Verb("history") { (call) async throws(ControlFailure) in
            let place = try await place(call)
            let field = try call.members.optionalText("field").map {
                (name) throws(ControlFailure) in
                try FieldChoice.field(name, in: place.collection)
            }
            let limit = try call.members.whole("limit", in: 1...1_000, usual: 50)
            let request = HistoryRequest(place.key, field: field?.id, limit: limit)
            let entries = try await call.gateway.ask(request)
            return ["changes": .array(entries.map { call.change(HistoryText.json($0)) })]
        },
        Verb("why") { (call) async throws(ControlFailure) in
            let place = try await place(call)
            let field = try FieldChoice.field(
                try call.members.text("field"), in: place.collection)
            let found = try await call.gateway.ask(ExplanationRequest(place.key, field: field.id))
            return call.explanation(HistoryText.json(found))
        },
    ]

    /// Reads the record that a call is about.
    static func place(
        _ call: Call, writable: Bool = false
    ) async throws(ControlFailure) -> RecordPath {
        let schema = try await call.gateway.schemaFile().schema
        let word = try call.members.text("collection") + "/" + call.members.text("record")
        return writable ? try RecordPath(writable: word, schema) : try RecordPath(word, schema)
    }

    private static func query(_ call: Call) async throws(ControlFailure) -> (Collection, Query) {
        let members = call.members
        let schema = try await call.gateway.schemaFile().schema
        let collection = try Column.collection(
            named: try members.text("collection"), in: schema)
        var query = Query(collection.name)
        if let text = try members.optionalText("where"), !text.isEmpty {
            query.condition = try WhereParser.condition(text, in: collection)
        }
        for name in try sortNames(members) {
            let isDescending = name.hasPrefix("-")
            let field = String(isDescending ? name.dropFirst() : name[...])
            if field != "id" { _ = try Column.named(field, in: collection) }
            query.sort.append(SortKey(field, descending: isDescending))
        }
        query.limit = Int(try members.whole("limit", in: 1...1_000, usual: 100))
        query.offset = Int(try members.whole("offset", in: 0...1_000_000, usual: 0))
        query.after = try members.optionalText("after")
        query.showsDetached = try members.flag("detached", usual: false)
        return (collection, query)
    }

    private static func figures(
        of query: Query, _ members: VerbMembers
    ) throws(ControlFailure) -> FiguresRequest {
        var aggregates: [Aggregate] = try members.flag("count", usual: false) ? [.count] : []
        aggregates += try members.texts("sum").map(Aggregate.sum)
        aggregates += try members.texts("min").map(Aggregate.min)
        aggregates += try members.texts("max").map(Aggregate.max)
        aggregates += try members.texts("average").map(Aggregate.average)
        guard !aggregates.isEmpty else {
            throw .usage("give 'count', 'sum', 'min', 'max' or 'average'")
        }
        return FiguresRequest(aggregates, query, try members.texts("by"))
    }

    private static func sortNames(_ members: VerbMembers) throws(ControlFailure) -> [String] {
        guard case .text(let text)? = members.value("sort") else {
            return try members.texts("sort")
        }
        return text.split(separator: ",").map(String.init)
    }

    private static func record(
        _ record: RecordView, _ collection: Collection, _ call: Call
    ) -> JSON {
        call.record(RecordText.json(record, collection))
    }

    private static func trashed(
        _ deleted: ControlTrash, _ collection: Collection, _ call: Call
    ) -> JSON {
        call.record(TrashText.json(deleted, collection))
    }

    private static func text(_ plan: QueryPlan) -> JSON {
        plan.json.with("sentence", .text(plan.sentence))
    }
}

// The parts of an answer that are values of records.
extension Verb.Call {
    fileprivate func record(_ json: JSON) -> JSON { replacing(["fields"], in: json) }

    fileprivate func group(_ json: JSON) -> JSON { replacing(["by", "figures"], in: json) }

    fileprivate func change(_ json: JSON) -> JSON { replacing(["value"], in: json) }

    fileprivate func explanation(_ json: JSON) -> JSON {
        guard hasTextDigits, case .object(let members) = replacing(["value"], in: json) else {
            return json
        }
        return .object(
            members.map { member in
                guard ["winners", "others"].contains(member.name),
                    case .array(let changes) = member.value
                else { return member }
                return JSON.Member(member.name, .array(changes.map(change)))
            })
    }

    private func replacing(_ names: [String], in json: JSON) -> JSON {
        guard hasTextDigits, case .object(let members) = json else { return json }
        return .object(
            members.map {
                names.contains($0.name) ? JSON.Member($0.name, $0.value.withTextDigits) : $0
            })
    }
}
