import Linnet
import Testing

/// Texts that editors have open, on one device and on two.
@Suite(.timeLimit(.minutes(5)))
struct OpenTextTests {
    private let home = TestHome()

    private func node() async throws -> Node {
        try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
    }

    @Test func `an editor types, is told what others write, and keeps its cursor`() async throws {
        let node = try await node()
        let text = try await node.openText("item", "a", "story")
        #expect(await text.string == "")
        try await text.edit(at: 0, inserting: "one 😀 two")
        #expect(await text.string == "one 😀 two")
        let cursor = try await text.cursor(at: 7)
        // Another editor of the same device, as others write: at the start, and around the cursor.
        let other = try await node.openText("item", "a", "story", in: .characters)
        try await other.edit(at: 0, inserting: "zero ")
        try await other.edit(at: 10, deleting: 1, inserting: "…")
        var changes = text.changes.makeAsyncIterator()
        let change = try #require(try await changes.next())
        #expect(change.delta.applied(to: "one 😀 two") == "zero one 😀…two")
        #expect(change.delta.unit == .utf16)
        #expect(
            change.delta.steps == [.insert("zero "), .keep(6), .delete(1), .insert("…")])
        #expect(
            try await text.place(of: cursor) == CursorPlace(offset: 12, isDeleted: true))
        #expect(try await node.get("item", "a")?["story"] == "zero one 😀…two")
        await node.stop()
        #expect(try await changes.next() == nil)
    }

    @Test func `an edit counts into what the editor shows, not into what has come`() async throws {
        let node = try await node()
        let text = try await node.openText("item", "a", "story")
        try await text.edit(at: 0, inserting: "hello world")
        try await node.edit("item", "a", "story", at: 0, inserting: ">>> ")
        // The change was not taken: the editor means the w.
        try await text.edit(at: 6, deleting: 1, inserting: "W")
        #expect(await text.string == "hello World")
        #expect(try await node.get("item", "a")?["story"] == ">>> hello World")
        let first = try #require(try await text.next(after: 0))
        #expect(first.delta.steps == [.insert(">>> ")])
        #expect(first.edits == 2 && first.base == 0)
        // It was given out, and the user typed before the editor could apply it.
        try await text.edit(at: 11, inserting: "!", after: 0)
        let second = try #require(try await text.next(after: 0))
        #expect(second.text == ">>> hello World!" && second.edits == 3)
        try await text.edit(at: 0, deleting: 4, after: second.number)
        #expect(try await node.get("item", "a")?["story"] == "hello World!")
        await #expect(throws: LinnetError.schema(.notShown(field: "story"))) {
            try await text.edit(at: 0, inserting: "x", after: first.number)
        }
        await node.stop()
    }

    @Test func `what cannot be edited is refused`() async throws {
        let node = try await node()
        let text = try await node.openText("item", "a", "story")
        try await text.edit(at: 0, inserting: "a😀")
        let outside = SchemaError.badEdit(field: "story", length: 3, unit: .utf16)
        await #expect(throws: LinnetError.schema(outside)) {
            try await text.edit(at: 4, inserting: "x")
        }
        await #expect(throws: LinnetError.schema(.tornScalar(field: "story"))) {
            try await text.edit(at: 2, inserting: "x")
        }
        await #expect(throws: LinnetError.schema(.tornScalar(field: "story"))) {
            try await node.edit("item", "a", "story", at: 2, inserting: "x", in: .utf16)
        }
        try await node.edit("item", "a", "story", at: 3, inserting: "x", in: .utf16)
        try await node.edit("item", "a", "story", at: 2, inserting: "y", in: .scalars)
        #expect(try await node.get("item", "a")?["story"] == "a😀yx")
        await #expect(throws: LinnetError.schema(.wrongKind(field: "name", kind: "lww"))) {
            try await node.openText("item", "a", "name")
        }
        await #expect(throws: LinnetError.badRecordID("")) {
            try await node.openText("item", "", "story")
        }
        await node.stop()
    }

    @Test func `an editor takes back what it wrote, and nothing else`() async throws {
        let node = try await node()
        let (mine, theirs) = (
            try await node.openText("item", "a", "story"),
            try await node.openText("item", "a", "story")
        )
        try await mine.edit(at: 0, inserting: "mine")
        _ = try await theirs.next()
        try await theirs.edit(at: 2, inserting: "THEIRS")
        #expect(await mine.canUndo)
        let undone = try #require(try await mine.undo())
        #expect(undone.text == "THEIRS" && undone.delta.applied(to: "mine") == "THEIRS")
        #expect(try await mine.undo() == nil)
        #expect(await mine.canRedo)
        #expect(try await mine.redo()?.text == "miTHEIRSne")
        #expect(try await theirs.undo()?.text == "mine")
        await node.stop()
    }

    @Test func `a deleted record's text goes, and what is typed then begins a new one`()
        async throws
    {
        let node = try await node()
        let text = try await node.openText("item", "a", "story")
        try await text.edit(at: 0, inserting: "old")
        try await node.delete("item", "a")
        #expect(try await text.next()?.text == "")
        try await text.edit(at: 0, inserting: "new")
        #expect(try await node.get("item", "a")?["story"] == "new")
        await node.stop()
    }

    @Test func `two devices type apart, and each word and cursor stays whole`() async throws {
        let schema = try Schema.everyKind()
        let laptop = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: schema)
        try await laptop.start(.loopback)
        var phone = try await Node.createToJoin(
            at: home("phone"), name: "Phone", kind: .phone, schema: schema)
        try await phone.start(.loopback)
        try await pair(phone, with: laptop)
        try await laptop.rewrite("item", "a", "story", "The end.")
        try await phone.sync()
        await phone.stop()
        phone = try await Node.open(at: home("phone"))
        let here = try await laptop.openText("item", "a", "story", in: .characters)
        let there = try await phone.openText("item", "a", "story", in: .characters)
        let cursor = try await there.cursor(at: 4, sticking: .before)
        for (place, letter) in "long ".enumerated() {
            try await here.edit(at: 4 + place, inserting: String(letter))
        }
        for (place, letter) in "happy ".enumerated() {
            try await there.edit(at: 4 + place, inserting: String(letter))
        }
        try await phone.start(.loopback)
        try await phone.sync()
        var last = try await there.next()?.text
        while last?.contains("long ") == false { last = try await there.next()?.text }
        #expect(["The long happy end.", "The happy long end."].contains(last))
        #expect(try await laptop.get("item", "a")?["story"] == last.map(Value.text))
        // The cursor stands before the e of "end".
        #expect(try await there.place(of: cursor)?.offset == 15)
        _ = try await here.next()
        #expect(try await here.place(of: cursor) == CursorPlace(offset: 15, isDeleted: false))
        while let change = try await here.undo() { last = change.text }
        #expect(last == "The happy end.")
        await stop([laptop, phone])
    }
}
