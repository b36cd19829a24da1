import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetReplication

/// `linnet query`: shows the records for which a condition holds.
enum QueryCommand {
    static let command = Command(
        "query", words: "C", summary: "Show records by a condition, sorted and in parts.",
        details: """
            A condition compares fields with values: =, !=, <, <=, >, >=, contains, begins, matches
            (words, without case and accents), 'is null' and 'is not null', joined by and, or, not
            and parentheses. A value with spaces stands in quotes; 'id' is the record's identifier.
            --sort takes fields separated by commas; a minus before a field puts the largest first.
            When there are more records than --limit, the place for --after follows: whatever is
            written meanwhile, no unchanged record is shown twice or left out. --sum, --min, --max,
            --average and --count show figures in place of the records, with --group one line for
            each value of these fields. Sums are exact or refused; an average that is rounded has a
            sign for it.
            """,
        options: [
            Option("where", "CONDITION", "which records; all if not given"),
            Option("sort", "FIELDS", "by which fields; by identifier if not given"),
            Option("limit", "N", "at most N records"), Option("offset", "N", "skip the first N"),
            Option("after", "PLACE", "continue at the place that an earlier query gave"),
            Option("explain", nil, "show only what would be read: an index, or the collection"),
            Option("count", nil, "show only the number of records"),
            Option("sum", "FIELDS", "show only the sums of these fields"),
            Option("min", "FIELDS", "show only the smallest values of these fields"),
            Option("max", "FIELDS", "show only the largest values of these fields"),
            Option("average", "FIELDS", "show only the means of these fields"),
            Option("group", "FIELDS", "show figures for each value of these fields"),
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
            if let figures = try figures(of: query, in: collection, arguments) {
                return try await show(figures, arguments, gateway, invocation.output)
            }
            if arguments.has("count") {
                let count = try await gateway.ask(CountRequest(query))
                return invocation.output.result(["count": .integer(count)], "\(count)")
            }
            if arguments.has("explain") {
                let plan = try await gateway.ask(PlanRequest(query))
                return invocation.output.result(plan.json, plan.sentence)
            }
            var costs = ReadingCosts.showing
            (costs.isSorted, costs.most) = (!query.sort.isEmpty, query.limit)
            let progress = ReadingDisplay(costs, invocation.output)
            defer { progress.end() }
            let page = try await gateway.page(matching: query) { progress.tell($0) }
            progress.show(page.records, of: collection, invocation.output)
            if let next = page.next {
                invocation.output.result(["next": .text(next)], "more: --after \(next)")
            }
        }
    }

    /// Reads which figures are asked for; nil for none but the number of records.
    private static func figures(
        of query: Query, in collection: Collection, _ arguments: Arguments
    ) throws(ControlFailure) -> FiguresRequest? {
        func fields(_ option: String) throws(ControlFailure) -> [String] {
            let names = (arguments.value(option) ?? "").split(separator: ",").map(String.init)
            for name in names where name != "id" { _ = try Column.named(name, in: collection) }
            return names
        }
        let by = try fields("group")
        var aggregates: [Aggregate] = arguments.has("count") ? [.count] : []
        aggregates += try fields("sum").map(Aggregate.sum)
        aggregates += try fields("min").map(Aggregate.min)
        aggregates += try fields("max").map(Aggregate.max)
        aggregates += try fields("average").map(Aggregate.average)
        if by.isEmpty && (aggregates.isEmpty || aggregates == [.count]) { return nil }
        if aggregates.isEmpty { aggregates = [.count] }
        for option in ["sort", "limit", "offset", "after"] where arguments.has(option) {
            throw .usage("figures are about all records: leave --\(option) out")
        }
        return FiguresRequest(aggregates, query, by)
    }

    private static func show(
        _ request: FiguresRequest, _ arguments: Arguments, _ gateway: Gateway, _ output: Output
    ) async throws(ControlFailure) {
        if arguments.has("explain") {
            let plan = try await gateway.ask(FiguresPlanRequest(request))
            return output.result(plan.json, plan.sentence)
        }
        for group in try await gateway.ask(request) {
            output.result(
                FigureText.json(group, request.aggregates, by: request.fields),
                FigureText.line(group, request.aggregates, by: request.fields))
        }
    }

    /// Reads the query from the options.
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
        query.after = arguments.value("after")
        query.showsDetached = arguments.has("detached")
        return query
    }
}

extension Gateway {
    /// Returns the records of a query in its order, and the place where the next page begins.
    func page(
        matching query: Query, tell: (ReadingReport) -> Void = { _ in }
    ) async throws(ControlFailure) -> ControlPage {
        var page = ControlPage([], next: nil)
        var report = ReadingReport()
        try await converse(PageRequest(query)) { progress in
            report.take(progress)
            tell(report)
        } _: { (part) throws(ControlFailure) in
            page.append(part)
            report.take(over: part.records.count)
            tell(report)
            return nil
        }
        return page
    }
}
