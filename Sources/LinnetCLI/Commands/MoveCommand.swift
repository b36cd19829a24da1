import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetReplication

/// `linnet move`: puts a record somewhere else in an order.
enum MoveCommand {
    static let command = Command(
        "move", words: "C/ID", summary: "Put a record somewhere else among the others.",
        details: """
            The place is a field of the kind 'order'; 'linnet query C --sort FIELD' lists the
            records by it.
            """,
        options: [
            Option("field", "FIELD", "the order; needed when the collection has several"),
            Option("after", "C/ID", "right after this record"),
            Option("before", "C/ID", "right before this record"),
            Option("first", nil, "before all others"), Option("last", nil, "after all others"),
            Intent.option,
        ],
        preparation: Command.pantry + ["set item/tea name=Tea", "set item/coffee name=Coffee"],
        example: "move item/tea --field place --after item/coffee", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let words = try arguments.words("C/ID")
        let intent = try Intent.read(arguments)
        let given = ["after", "before", "first", "last"].filter(arguments.has)
        guard given.count == 1 else {
            throw .usage("give one of --after C/ID, --before C/ID, --first and --last")
        }
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try move(words[0], given[0], arguments, schema)
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (place, request) = parsed
            // A move writes a place: of what is not there, it would make a record of nothing else.
            if intent == nil, try await gateway.record(place.collection, place.id) == nil {
                throw place.missing
            }
            return (try await gateway.ask(WritingRequest([request], intent: intent)), place)
        }
        try WriteReport.tell(
            receipt, of: place, done: "Moved", idle: "is so already", invocation.output)
    }

    /// Returns the record that a word names, and the change that puts it where the option says.
    private static func move(
        _ word: String, _ option: String, _ arguments: Arguments, _ schema: Schema
    ) throws(ControlFailure) -> (RecordPath, WriteRequest) {
        let place = try RecordPath(writable: word, schema)
        let field = try field(arguments.value("field"), place.collection)
        let target: OrderPlace
        switch option {
        case "first": target = .first
        case "last": target = .last
        default:
            let other = try RecordPath(arguments.value(option) ?? "", schema)
            guard other.collection == place.collection else {
                throw .usage("both records must be of \(place.collection.name)")
            }
            guard other.id != place.id else {
                throw .usage("\(place.text) cannot be moved next to itself: name another record")
            }
            let id = other.id.description
            target = option == "after" ? .after(id) : .before(id)
        }
        return (place, .move(place.key, field: field.id, to: target))
    }

    private static func field(
        _ name: String?, _ collection: Collection
    ) throws(ControlFailure) -> Field {
        let orders = collection.fields.filter { $0.kind == .order }
        let names = orders.map(\.name).joined(separator: ", ")
        if let name {
            let field = try Column.named(name, in: collection).field
            if field.kind == .order { return field }
            throw .usage(
                "\(field.name) is not an order"
                    + (orders.isEmpty ? "" : "; orders of \(collection.name) are \(names)"))
        }
        if let only = orders.first, orders.count == 1 { return only }
        throw .usage(
            orders.isEmpty
                ? "\(collection.name) has no field of the kind order"
                : "name the order with --field: \(names)")
    }
}
