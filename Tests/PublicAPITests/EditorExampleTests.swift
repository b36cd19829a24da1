import Linnet
import Testing

/// The examples of the article about texts in an editor, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct EditorExampleTests {
    private let household = Household()

    @Test func `two editors write in one text, see each other and take back their own`()
        async throws
    {
        // shown in Sources/Linnet/Linnet.docc/texts-in-an-editor.md
        let notes = Collection(
            id: 2_000, name: "notes", scope: "home",
            fields: [Field(id: 1, name: "body", kind: .text)])

        // shown until here
        let laptop = try await household.laptop(notes)
        // shown in Sources/Linnet/Linnet.docc/texts-in-an-editor.md
        let text = try await laptop.openText("notes", "m1", "body", in: .utf16)
        try await text.edit(at: 0, inserting: "Take with water.")

        // Each key is one edit. A write that need not wait for the disk suits them.
        try await text.edit(at: 10, deleting: 5, inserting: "milk", durability: .relaxed)
        let shown = await text.string  // "Take with milk."
        // shown until here
        #expect(shown == "Take with milk.")
        let watch = try await household.watch(of: laptop)
        try await watch.start(.loopback)
        try await watch.sync()
        // shown in Sources/Linnet/Linnet.docc/texts-in-an-editor.md
        // The watch has it open, too, and writes at the start.
        let other = try await watch.openText("notes", "m1", "body", in: .characters)
        try await other.edit(at: 0, inserting: "📝 ")

        var changes = text.changes.makeAsyncIterator()
        let change = try await changes.next()
        let steps = change?.delta.steps  // [.insert("📝 ")]
        let moved = change?.delta.moved(15)  // 18: a place at the end is at the end
        // shown until here
        #expect(steps == [.insert("📝 ")] && moved == 18)
        // shown in Sources/Linnet/Linnet.docc/texts-in-an-editor.md
        // The user types before the change is on the screen: what counts is what the user saw.
        try await text.edit(at: 18, inserting: "!", after: change?.number)
        try await other.edit(at: 0, inserting: "Ada: ")
        let late = try await text.next(after: change?.number)
        try await text.edit(at: 0, inserting: "> ", after: change?.number)
        let isStale = late?.edits != 4  // true: the user made a fourth edit meanwhile
        let next = try await text.next(after: change?.number)
        let both = next?.text  // "> Ada: 📝 Take with milk.!"
        // shown until here
        #expect(isStale)
        #expect(both == "> Ada: 📝 Take with milk.!")
        try await laptop.sync()
        var theirs = other.changes.makeAsyncIterator()
        while await other.string != both { _ = try await theirs.next() }
        try await carryCaret(text, to: other, after: next)
        try await takeBack(text, after: next)
        try await laptop.sync()
        try await end(laptop, watch)
    }

    private func carryCaret(
        _ text: OpenText, to other: OpenText, after next: TextChange?
    ) async throws {
        // shown in Sources/Linnet/Linnet.docc/texts-in-an-editor.md
        let caret = try await text.cursor(at: 10, sticking: .before, after: next?.number)
        let sent = caret.description  // what travels
        let place = try await other.place(of: TextCursor(sent) ?? .start)
        let offset = place?.offset  // 9: before the T, in the unit of the watch
        // shown until here
        #expect(offset == 9)
    }

    private func takeBack(_ text: OpenText, after next: TextChange?) async throws {
        let both = next?.text
        // shown in Sources/Linnet/Linnet.docc/texts-in-an-editor.md
        let undone = try await text.undo(after: next?.number)
        let without = undone?.text  // "Ada: 📝 Take with milk.!"
        let again = try await text.redo(after: undone?.number)
        let with = again?.text  // "> Ada: 📝 Take with milk.!"
        // shown until here
        #expect(without == "Ada: 📝 Take with milk.!")
        #expect(with == both)
    }
}
