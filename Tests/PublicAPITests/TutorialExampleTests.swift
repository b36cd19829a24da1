import Foundation
import Linnet
import LinnetSimulator
import Synchronization
import Testing

/// The steps of the tutorial, each a whole program that is compiled and run here. What a step says
/// is the file of its number in the catalogue.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct TutorialExampleTests {
    private let household = Household()

    private func said(
        _ step: (String) async throws -> Void
    ) async throws -> [String] {
        Printed.lines.withLock { $0 = [] }
        try await step(household.folder)
        return Printed.lines.withLock { $0 }
    }

    @Test func `each step says what the tutorial says that it does`() async throws {
        #expect(try await said(Step1.Pantry.run) == ["version 1 knows item"])
    }

    @Test func `a device writes and reads`() async throws {
        #expect(try await said(Step2.Pantry.run) == ["3 of Tea"])
    }

    @Test func `a second device has what the first one wrote`() async throws {
        #expect(try await said(Step3.Pantry.run) == ["the phone has 3"])
    }

    @Test func `the second device is told what is written on the first`() async throws {
        #expect(try await said(Step4.Pantry.run).last == #"the phone shows ["5"]"#)
    }

    @Test func `what both count while apart is added up`() async throws {
        #expect(try await said(Step5.Pantry.run) == ["4 left", "4 left"])
    }

    @Test func `the test of the last step passes`() throws {
        try Step6.PantryTests().`no tea is lost, and none is counted twice`()
    }

    @Test(arguments: 1...6) func `a file of the catalogue is the step that was run`(
        number: Int
    ) throws {
        let shown = try ShownCode.text(of: "Sources/Linnet/Linnet.docc/tutorial-\(number).swift")
        var step: [String] = []
        var isWithin = false
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        for line in source.components(separatedBy: "\n") {
            if line == "    // until here" { isWithin = false }
            if isWithin { step.append(String(line.dropFirst(4))) }
            if line == "    // the file tutorial-\(number).swift" { isWithin = true }
        }
        // A file of the tutorial also says what it imports and where the program begins.
        let own = shown.components(separatedBy: "\n").filter {
            !$0.hasPrefix("import ") && $0 != "@main"
        }
        #expect(!step.isEmpty && own.drop { $0.isEmpty }.dropLast() == step[...])
    }
}

/// The lines that the steps print.
private enum Printed {
    static let lines = Mutex<[String]>([])
}

private func print(_ line: String) { Printed.lines.withLock { $0.append(line) } }

private enum Step1 {
    // the file tutorial-1.swift
    /// A thing in the pantry.
    struct Item: Codable, Sendable, Identifiable {
        var id: String
        var name = ""
        var count = 0
    }

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
    // until here
}

private enum Step2 {
    // the file tutorial-2.swift
    /// A thing in the pantry.
    struct Item: Codable, Sendable, Identifiable {
        var id: String
        var name = ""
        var count = 0
    }

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
            let tea = try await laptop.fetch(items, "tea")
            print("\(tea?.count ?? 0) of \(tea?.name ?? "nothing")")
            await laptop.stop()
        }
    }
    // until here
}

private enum Step3 {
    // the file tutorial-3.swift
    /// A thing in the pantry.
    struct Item: Codable, Sendable, Identifiable {
        var id: String
        var name = ""
        var count = 0
    }

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
    // until here
}

private enum Step4 {
    // the file tutorial-4.swift
    /// A thing in the pantry.
    struct Item: Codable, Sendable, Identifiable {
        var id: String
        var name = ""
        var count = 0
    }

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

            // Whatever is written on either of them shows on both.
            var shown = try await phone.observe(Query("item")).makeAsyncIterator()
            try await laptop.update(items, "tea") { $0.count += 2 }
            while let records = try await shown.next() {
                print("the phone shows \(records.map { "\($0["count"] ?? 0)" })")
                if records.first?["count"] == 5 { break }
            }
            await phone.stop()
            await laptop.stop()
        }
    }
    // until here
}

private enum Step5 {
    // the file tutorial-5.swift
    /// A thing in the pantry.
    struct Item: Codable, Sendable, Identifiable {
        var id: String
        var name = ""
        var count = 0
    }

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
            var phone = try await Node.open(
                at: folder + "/phone",
                orCreating: .joining(name: "Phone", kind: .phone, schema: schema))
            try await phone.start(.loopback)
            try await phone.join(code: invitation.code, at: invitation.address)
            try await phone.sync()

            // The phone is away. Both count, and neither knows of the other.
            await phone.stop()
            phone = try await Node.open(at: folder + "/phone", schema: schema)
            try await laptop.update(items, "tea") { $0.count += 2 }
            try await phone.update(items, "tea") { $0.count -= 1 }

            // Together again, both show what both did.
            try await phone.start(.loopback)
            try await phone.sync()
            for node in [laptop, phone] {
                print("\(try await node.fetch(items, "tea")?.count ?? 0) left")
                await node.stop()
            }
        }
    }
    // until here
}

private enum Step6 {
    typealias Pantry = Step5.Pantry

    // the file tutorial-6.swift
    struct PantryTests {
        @Test func `no tea is lost, and none is counted twice`() throws {
            let schema = try Schema(version: 1, collections: [Pantry.items.collection])
            try simulate(schema: schema, seeds: 1...3) { random, pantry in
                let key = "purchase-\(random.below(30))"
                pantry.count(Pantry.items.collection, "tea", "count", key: key, 1)
            } invariant: { replica in
                for (id, fields) in replica.records(Pantry.items.collection) {
                    guard case .int(let count)? = fields["count"]?.first else { continue }
                    if count > 30 { return "\(id): \(count) of 30 purchases" }
                }
                return nil
            }
        }
    }
    // until here
}
