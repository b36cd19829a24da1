import Linnet
import LinnetSimulator
import Testing

/// The examples of the articles for whoever begins, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct GuideExampleTests {
    private let household = Household()

    @Test func `getting started: a record, a second device, and both agree`() async throws {
        let folder = household.folder
        // shown in Sources/Linnet/Linnet.docc/getting-started.md
        let todos = Collection(
            id: 2_000, name: "todo", scope: "todos",
            fields: [
                Field(id: 1, name: "what", type: .text), Field(id: 2, name: "isDone", type: .bool),
            ])
        let schema = try Schema(version: 1, collections: [todos])
        let laptop = try await Node.open(
            at: folder + "/laptop",
            orCreating: .founding(name: "Laptop", kind: .laptop, schema: schema))

        // Written is on the disk, whether or not another device is near.
        try await laptop.set("todo", "milk", ["what": "Buy milk"])
        let what = try await laptop.get("todo", "milk")?["what"]  // "Buy milk"
        let open = try await laptop.count(Query("todo", where: FieldName("isDone") != true))  // 1
        // shown until here
        #expect(what == "Buy milk" && open == 1)
        // shown in Sources/Linnet/Linnet.docc/getting-started.md
        try await laptop.start(.loopback)
        let invitation = try await laptop.offerPairing { newcomer in newcomer.name == "Phone" }

        let phone = try await Node.open(
            at: folder + "/phone",
            orCreating: .joining(name: "Phone", kind: .phone, schema: schema))
        try await phone.start(.loopback)
        try await phone.join(code: invitation.code, at: invitation.address)
        try await phone.sync()
        try await phone.set("todo", "milk", ["isDone": true])
        try await phone.sync()
        let isDone = try await laptop.get("todo", "milk")?["isDone"]  // true
        // shown until here
        #expect(isDone == true)
        try await end(laptop, phone)
    }

    @Test func `design a schema: identifiers that mean the same make one record`() async throws {
        // shown in Sources/Linnet/Linnet.docc/design-a-schema.md
        let schema = try Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2_000, name: "plant", scope: "garden",
                    fields: [
                        Field(id: 1, name: "name", type: .text, index: .clear),
                        Field(
                            id: 2, name: "dose",
                            group: [.init("amount", .decimal), .init("unit", .text)]),
                        Field(id: 3, name: "seeds", kind: .tally, type: .int),
                        Field(id: 4, name: "notes", kind: .text),
                    ]),
                Collection.log(
                    id: 2_001, name: "watering", scope: .always("garden"),
                    fields: [
                        Field(id: 1, name: "plant", type: .reference(2_000)),
                        Field(id: 2, name: "at", type: .instant),
                    ]),
            ])
        // shown until here
        let laptop = try await Node.create(
            at: household.folder + "/laptop", name: "Laptop", kind: .laptop, schema: schema)
        try await laptop.start(.loopback)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/design-a-schema.md
        // Both write down the same plant; it is one record.
        let rose = RecordID(naturalKey: "plant", "rose").description
        try await laptop.set("plant", rose, ["name": "Rose", "dose": [2, "ml"]])
        try await watch.set("plant", rose, ["name": "Rose"])
        try await laptop.count("plant", rose, "seeds", by: 5)
        try await watch.count("plant", rose, "seeds", by: 3)

        // A watering has the minute in its name, so that two taps are one.
        for _ in 1...2 {
            let name = RecordID(naturalKey: rose, "2026-11-26 08:00").description
            try await laptop.insert(
                "watering", name,
                ["plant": .text(rose), "at": Value(instant: "2026-11-26T08:00:00.000Z") ?? .null])
        }
        // shown until here
        try await watch.start(.loopback)
        try await watch.sync()
        // shown in Sources/Linnet/Linnet.docc/design-a-schema.md
        let plants = try await laptop.count(Query("plant"))  // 1
        let seeds = try await laptop.get("plant", rose)?["seeds"]  // 8
        let waterings = try await laptop.count(Query("watering"))  // 1
        // shown until here
        #expect(plants == 1 && seeds == 8 && waterings == 1)
        try await end(laptop, watch)
    }

    @Test func `a watch counts what is tapped on it and on the phone once`() async throws {
        let folder = household.folder
        let boxes = Collection(
            id: 2_000, name: "box", scope: "home",
            fields: [Field(id: 1, name: "pills", kind: .tally, type: .int)])
        let schema = try Schema(version: 1, collections: [boxes])
        // shown in Sources/Linnet/Linnet.docc/a-watch.md
        let limits = DeviceLimits.of(.watch)
        let isSmall = limits.holdsRecentOnly && !limits.usesNetworkBesideLink  // true

        // A directory stands for what the operating system puts between phone and watch.
        let phone = try await Node.create(
            at: folder + "/phone", name: "Phone", kind: .phone, schema: schema)
        let watch = try await Node.createToJoin(at: folder + "/watch", name: "Watch", kind: .watch)
        try await phone.start(.companionLink(folder + "/link"))
        try await watch.start(.companionLink(folder + "/link"))
        let invitation = try await phone.offerPairing { newcomer in newcomer.name == "Watch" }
        try await watch.join(code: invitation.code)
        try await watch.sync()

        // A tap on the watch counts once, also when somebody taps on the phone, too.
        let key = "2026-11-26 morning"
        try await watch.count("box", "m1", "pills", by: -1, key: key)
        try await phone.count("box", "m1", "pills", by: -1, key: key)
        try await watch.sync()
        let pills = try await phone.get("box", "m1")?["pills"]  // -1
        // shown until here
        #expect(isSmall && pills == -1)
        try await end(phone, watch)
    }

    private func pantry() throws -> (Schema, Collection) {
        let items = Collection(
            id: 2_000, name: "item", scope: "pantry",
            fields: [
                Field(id: 1, name: "name", type: .text),
                Field(id: 2, name: "count", kind: .tally, type: .int),
            ])
        return (try Schema(version: 1, collections: [items]), items)
    }

    @Test func `what is counted under few keys stays within them, whatever happens`() throws {
        let (schema, items) = try pantry()
        // shown in Sources/Linnet/Linnet.docc/testing-with-the-simulator.md
        try simulate(schema: schema, seeds: 1...3) { random, pantry in
            let id = "item-\(random.below(3))"
            switch random.below(3) {
            case 0: pantry.set(items, id, ["name": "Tea"])
            case 1: pantry.count(items, id, "count", key: "key-\(random.below(40))", 1)
            default: pantry.delete(items, id)
            }
        } invariant: { replica in
            for (id, fields) in replica.records(items) {
                guard case .int(let count)? = fields["count"]?.first else { continue }
                if !(0...40).contains(count) { return "\(id) counts \(count) of 40 keys" }
            }
            return nil
        }
        // shown until here
    }

    @Test func `an invariant that does not hold is told with its seed`() throws {
        let (schema, items) = try pantry()
        #expect {
            try simulate(schema: schema, seeds: 1...1) { random, pantry in
                pantry.count(items, "tea", "count", key: "key-\(random.below(40))", 1)
            } invariant: { replica in
                replica.records(items).isEmpty ? nil : "there is tea"
            }
        } throws: { error in
            let failure = error as? SimulationFailure
            return failure?.seed == 1 && failure?.description.contains("there is tea") == true
        }
    }
}

/// The page of the node has every call.
struct NodeTopicsTests {
    @Test func `each public call of a node stands in one of the page's groups`() throws {
        let page = try ShownCode.text(of: "Sources/Linnet/Linnet.docc/node.md")
        let calls = try ShownCode.publicCalls(of: "Node", in: "Sources/Linnet")
        #expect(calls.count > 80 && calls.contains("figures"))
        for call in calls {
            #expect(page.contains("- ``\(call)("), "\(call) is in no group")
        }
    }
}
