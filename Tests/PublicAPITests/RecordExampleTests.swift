import Linnet
import Testing

/// The examples of the articles about texts, orders and logs, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct RecordExampleTests {
    private let household = Household()

    @Test func `text: what several people type stands, each piece whole`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-text.md
        let notes = Collection(
            id: 2_000, name: "notes", scope: "home",
            fields: [Field(id: 1, name: "body", kind: .text)])
        // shown until here
        let laptop = try await household.laptop(notes)
        // shown in Sources/Linnet/Linnet.docc/kind-text.md

        try await laptop.rewrite("notes", "m1", "body", "Take with water.")
        // shown until here
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-text.md

        // Apart, the laptop appends a sentence, and the watch replaces a word of five characters.
        try await laptop.edit("notes", "m1", "body", at: 16, inserting: " Not before meals.")
        try await watch.edit("notes", "m1", "body", at: 10, deleting: 5, inserting: "milk")

        // Both edits stand.
        try await watch.start(.loopback)
        try await watch.sync()
        let body = try await laptop.get("notes", "m1")?["body"]
        // "Take with milk. Not before meals."
        // shown until here
        #expect(body == "Take with milk. Not before meals.")
        try await end(laptop, watch)
    }

    @Test func `order: a record has one place, whoever moves it`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-order.md
        let steps = Collection(
            id: 2_000, name: "steps", scope: "home",
            fields: [
                Field(id: 1, name: "place", kind: .order),
                Field(id: 2, name: "what", type: .text),
            ])
        // shown until here
        let laptop = try await household.laptop(steps)
        // shown in Sources/Linnet/Linnet.docc/kind-order.md

        var transaction = Transaction()
        for id in ["drink", "eat", "take"] {
            transaction.set("steps", id, ["what": .text(id)])
            transaction.move("steps", id, to: .last)
        }
        try await laptop.commit(transaction)
        // shown until here
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-order.md

        // Apart, the laptop moves a record, and the watch moves another and edits the first.
        try await laptop.move("steps", "take", to: .first)
        try await watch.move("steps", "eat", to: .before("drink"))
        try await watch.set("steps", "take", ["what": "take the pill"])

        // Each record has one place, and the edit is there.
        try await watch.start(.loopback)
        try await watch.sync()
        let list = try await laptop.fetch(Query("steps", sort: [SortKey("place")]))
        let ids = list.map(\.id)  // "drink" is last
        let what = try await laptop.get("steps", "take")?["what"]  // "take the pill"
        // shown until here
        #expect(ids.last == "drink" && ids.sorted() == ["drink", "eat", "take"])
        #expect(what == "take the pill")
        try await end(laptop, watch)
    }

    @Test func `log: what was written once stays, and a contradiction is told`() async throws {
        // shown in Sources/Linnet/Linnet.docc/kind-log.md
        let doses = Collection.log(
            id: 2_000, name: "doses", scope: .always("doses"),
            fields: [
                Field(id: 1, name: "medicine", type: .text),
                Field(id: 2, name: "pills", type: .int),
            ])
        // shown until here
        let laptop = try await household.laptop(doses)
        let watch = try await household.watch(of: laptop)
        // shown in Sources/Linnet/Linnet.docc/kind-log.md

        // The identifier comes from what the record is about, so both devices write the same one.
        let morning = RecordID(naturalKey: "m1", "2026-11-21", "morning").description
        let evening = RecordID(naturalKey: "m1", "2026-11-21", "evening").description
        try await laptop.insert("doses", morning, ["medicine": "m1", "pills": 1])
        try await watch.insert("doses", morning, ["medicine": "m1", "pills": 1])

        // Of the evening they say different things.
        try await laptop.insert("doses", evening, ["medicine": "m1", "pills": 1])
        // shown until here
        await household.tick()
        // shown in Sources/Linnet/Linnet.docc/kind-log.md
        try await watch.insert("doses", evening, ["medicine": "m1", "pills": 2])

        // Two doses. What was written first shows, and the record says that there is more.
        try await watch.start(.loopback)
        try await watch.sync()
        let count = try await watch.list("doses").count  // 2
        let first = try await watch.get("doses", evening)
        let pills = first?["pills"]  // 1
        let isContradicted = first?.isCollision  // true
        // shown until here
        #expect(count == 2 && pills == 1 && isContradicted == true)
        #expect(try await watch.get("doses", morning)?.isCollision == false)
        try await end(laptop, watch)
    }
}
