import Linnet

/// A thing in the pantry.
struct Item: Codable, Sendable, Identifiable {
    var id: String
    var name = ""
    var count = 0
}

@main
struct Pantry {
    static let items = TypedCollection<Item>(
        id: 2_000, name: "item", scope: "pantry",
        fields: [.lww(1, "name", \.name), .tally(2, "count", \.count)])

    static func main() async throws {
        try await run(in: CommandLine.arguments.last ?? "pantry")
    }

    static func run(in folder: String) async throws {
        let schema = try Schema(version: 1, collections: [items.collection])
        print("version \(schema.version) knows \(try schema.collection(named: "item").name)")
    }
}
