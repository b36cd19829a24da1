import Foundation
import Linnet

/// A thing to buy. Two people who write down the same thing write the same record.
struct Item: Codable, Sendable, Identifiable, Equatable {
    var id: String
    var name = ""
    /// A tally: what two people add at the same time is added up.
    var wanted = 0
    var isTaken = false
}

let items = TypedCollection<Item>(
    id: 2_000, name: "item", scope: "list",
    fields: [.lww(1, "name", \.name), .tally(2, "wanted", \.wanted), .lww(3, "isTaken", \.isTaken)])

/// A shopping list that several people keep, each on a device of their own, in a terminal.
@main
struct SharedList {
    let node: Node

    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            guard words.count >= 2, words.count == 2 || words.count == 5 && words[2] == "--join"
            else { throw Mistake("usage: shared-list HOME NAME [--join CODE ADDRESS]") }
            let list = try await SharedList(home: words[0], name: words[1], words.dropFirst(3))
            try await list.read()
            await list.node.stop()
        } catch {
            say("shared-list: \(error)")
            exit(1)
        }
    }

    /// Opens the list at `home`. Without an invitation a new home begins a list of its own.
    init(home: String, name: String, _ invitation: ArraySlice<String>) async throws {
        let schema = try Schema(version: 1, collections: [items.collection])
        let device =
            invitation.isEmpty
            ? NewDevice.founding(name: name, kind: .laptop, schema: schema)
            : NewDevice.joining(name: name, kind: .laptop, schema: schema)
        node = try await Node.open(at: home, orCreating: device)
        try await node.start(.loopback)
        if let code = invitation.first, let address = invitation.last {
            let member = try await node.join(code: code, at: address)
            say("joined the list of \(member.name)")
        }
    }

    /// Carries out one line after the other, and shows the list whenever it looks different.
    func read() async throws {
        let shown = Task { [node] in
            for try await _ in try await node.observe(Query("item")) {
                let all = try await node.fetch(items, sort: [SortKey("name")])
                say(all.isEmpty ? "the list is empty" : all.map(Self.line).joined(separator: "\n"))
            }
        }
        defer { shown.cancel() }
        say("add THING [HOW MANY], take THING, drop THING, invite, or quit")
        while let line = readLine(), line != "quit" {
            do {
                try await carryOut(line.split(separator: " ").map(String.init))
            } catch {
                say("that did not work: \(error)")
            }
        }
    }

    private func carryOut(_ words: [String]) async throws {
        guard let verb = words.first else { return }
        if verb == "invite" { return try await invite() }
        guard words.count >= 2 else { throw Mistake("\"\(verb)\" needs a thing") }
        let id = RecordID(naturalKey: words[1].lowercased()).description
        switch verb {
        case "add":
            let count = try words.count > 2 ? number(words[2]) : 1
            try await node.transaction { tx in
                try tx.write {
                    $0.set("item", id, ["name": .text(words[1]), "isTaken": false])
                    $0.count("item", id, "wanted", by: .int(Int64(count)))
                }
            }
        case "take":
            try await node.update(items, id) { $0.isTaken = true }
        case "drop":
            try await node.delete("item", id)
        default:
            throw Mistake("there is no \"\(verb)\": add, take, drop, invite or quit")
        }
    }

    private func number(_ word: String) throws -> Int {
        guard let number = Int(word), (1...1_000).contains(number) else {
            throw Mistake("\"\(word)\" is not a number from 1 to 1000")
        }
        return number
    }

    /// Shows a code and lets in whoever types it, since both people see each other's screens.
    private func invite() async throws {
        let invitation = try await node.offerPairing { _ in true }
        say("on the other device: --join \(invitation.code) \(invitation.address)")
        let device = try await node.pairingOutcome()
        say("\(device.name) keeps the list, too")
    }

    private static func line(_ item: Item) -> String {
        "\(item.isTaken ? "x" : " ") \(item.wanted) \(item.name)"
    }
}
