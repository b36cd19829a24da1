import Linnet
import LinnetCRDT
import LinnetReplication

/// `linnet query`: the records that a condition holds for.
enum QueryCommand {
    static let command = Command(
        "query", words: "C", summary: "Show records by a condition, sorted and in parts.",
        details: """
            A condition compares fields with values: =, !=, <, <=, >, >=, contains, begins, 'is
            null' and 'is not null', joined by and, or, not and parentheses. A value with spaces
            stands in quotes; 'id' is the record's identifier. --sort takes fields with commas
            between them, a minus before one for the largest first.
            """,
        options: [
            Option("where", "CONDITION", "which records; all if not given"),
            Option("sort", "FIELDS", "by which fields; by identifier if not given"),
            Option("limit", "N", "at most so many"), Option("offset", "N", "without the first N"),
            Option("count", nil, "only how many there are"),
            Option("detached", nil, "also records whose parent is missing or deleted"),
        ],
        example: "query medication --where 'form = tablet and not isActive = false' --sort name",
        run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C")
        let arguments = invocation.arguments
        try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let collection = try Column.collection(named: words[0], in: schema)
            return (collection, try query(collection, arguments))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (collection, query) = parsed
            if arguments.has("count") {
                let count = try await gateway.count(query)
                return invocation.output.result(["count": .integer(count)], "\(count)")
            }
            for record in try await gateway.records(matching: query) {
                invocation.output.result(
                    RecordText.json(record, collection), RecordText.summary(record, collection))
            }
        }
    }

    /// The query that the options describe.
    static func query(
        _ collection: Collection, _ arguments: Arguments
    ) throws(ControlFailure) -> Query {
        var query = Query(collection.name)
        if let text = arguments.value("where") {
            query.condition = try WhereParser.condition(text, in: collection)
        }
        for name in arguments.value("sort")?.split(separator: ",") ?? [] {
            let isDescending = name.hasPrefix("-")
            let field = String(isDescending ? name.dropFirst() : name)
            if field != "id" { _ = try Column.named(field, in: collection) }
            query.sort.append(SortKey(field, descending: isDescending))
        }
        let offset = try Numbers.whole(arguments.value("offset"), option: "offset")
        query.offset = Int(offset ?? 0)
        query.limit = try Numbers.whole(arguments.value("limit"), option: "limit").map { Int($0) }
        query.showsDetached = arguments.has("detached")
        return query
    }
}

extension Gateway {
    /// The records that a query asks for, in its order.
    func records(matching query: Query) async throws(ControlFailure) -> [ControlRecord] {
        var all: [ControlRecord] = []
        try await perform(.query(query)) { (response) throws(ControlFailure) in
            if case .records(let records) = response { all += records }
            return nil
        }
        return all
    }

    /// How many records a query asks for.
    func count(_ query: Query) async throws(ControlFailure) -> UInt64 {
        var count: UInt64 = 0
        try await perform(.count(query)) { (response) throws(ControlFailure) in
            if case .count(let given) = response { count = given }
            return nil
        }
        return count
    }
}
