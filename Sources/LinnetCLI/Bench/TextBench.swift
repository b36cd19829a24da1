import Linnet
import LinnetAPI

/// Measures edits of a long text by an editor that has it open, beside edits by offsets, and the
/// change that the editor is told.
enum TextBench {
    private static let rounds = 300

    static func run(in directory: String, letters: Int) async throws -> Figures {
        let notes = Collection(
            id: 2_000, name: "note", scope: "notes",
            fields: [Field(id: 1, name: "body", kind: .text)])
        let node = try await Node.create(
            at: directory + "/text", name: "Text", kind: .laptop,
            schema: try Schema(version: 1, collections: [notes]))
        let words = String(repeating: "lorem ipsum “dolor” ", count: letters / 20 + 1)
        try await node.rewrite("note", "n", "body", String(words.prefix(letters)))
        // Many hands have been in it, so that it has many runs.
        for number in 0..<min(letters / 10, 2_000) {
            try await node.edit(
                "note", "n", "body", at: place(number, letters), deleting: number % 2,
                inserting: "x", durability: .relaxed)
        }
        let text = try await node.openText("note", "n", "body", in: .utf16)
        var (plain, open, told): ([Double], [Double], [Double]) = ([], [], [])
        for number in 0..<rounds {
            let offset = place(number, letters)
            let began = ContinuousClock.now
            try await node.edit(
                "note", "n", "body", at: offset, inserting: "a", in: .utf16, durability: .relaxed)
            let edited = ContinuousClock.now
            _ = try await text.next()
            let heard = ContinuousClock.now
            try await text.edit(at: offset, inserting: "b", durability: .relaxed)
            open.append((ContinuousClock.now - heard).microseconds)
            plain.append((edited - began).microseconds)
            told.append((heard - edited).microseconds)
        }
        await node.stop()
        var figures = Figures(name: "a text of \(letters) letters")
        figures.add("edit by offset p50 µs", Figures.percentile(0.5, of: plain))
        figures.add("edit of an open text p50 µs", Figures.percentile(0.5, of: open))
        figures.add("change told p50 µs", Figures.percentile(0.5, of: told))
        return figures
    }

    /// A place that looks drawn, the same for a number everywhere.
    private static func place(_ number: Int, _ letters: Int) -> Int {
        number &* 7_919 % letters
    }
}
