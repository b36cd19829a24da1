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
        let laptop = try await Node.open(
            at: folder + "/laptop",
            orCreating: .founding(name: "Laptop", kind: .laptop, schema: schema))
        try await laptop.save(Item(id: "tea", name: "Tea", count: 3), in: items)

        // The laptop shows six digits; the phone types them.
        try await laptop.start(.loopback)
        let invitation = try await laptop.offerPairing { newcomer in newcomer.name == "Phone" }
        let phone = try await Node.open(
            at: folder + "/phone",
            orCreating: .joining(name: "Phone", kind: .phone, schema: schema))
        try await phone.start(.loopback)
        try await phone.join(code: invitation.code, at: invitation.address)
        try await phone.sync()
        print("the phone has \(try await phone.fetch(items, "tea")?.count ?? 0)")
        await phone.stop()
        await laptop.stop()
    }
}
