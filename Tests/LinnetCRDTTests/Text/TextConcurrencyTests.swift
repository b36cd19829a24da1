import LinnetCRDT
import Testing

/// The concurrent cases that an application meets, each by name.
@Suite struct TextConcurrencyTests {
    /// A text, what two devices make of it without hearing of each other, and both together.
    private func concurrently(
        _ start: String, _ first: (inout Device) throws -> Void,
        _ second: (inout Device) throws -> Void
    ) throws -> String {
        var origin = Device(author: 9)
        try origin.type(start, at: 0)
        var (left, right) = (Device(author: 1, from: origin), Device(author: 2, from: origin))
        try first(&left)
        try second(&right)
        let together = left.text.merged(right.text)
        for edit in right.edits { _ = left.text.apply(edit.edit, at: edit.position) }
        #expect(left.text == together)
        return together.string
    }

    @Test func `runs typed forwards by two devices never interleave`() throws {
        for offset in 0...4 {
            let text = try concurrently(
                "____",
                {
                    for (step, letter) in "abcdef".enumerated() {
                        try $0.type(letter, at: offset + step)
                    }
                },
                {
                    for (step, letter) in "ABCDEF".enumerated() {
                        try $0.type(letter, at: offset + step)
                    }
                })
            #expect(text.contains("abcdef") && text.contains("ABCDEF"), "\(text)")
        }
    }

    @Test func `runs typed backwards by two devices never interleave`() throws {
        for offset in 0...4 {
            let text = try concurrently(
                "____",
                { for letter in "abcdef".reversed() { try $0.type(letter, at: offset) } },
                { for letter in "ABCDEF".reversed() { try $0.type(letter, at: offset) } })
            #expect(text.contains("abcdef") && text.contains("ABCDEF"), "\(text)")
        }
    }

    @Test func `a run typed forwards and one typed backwards do not interleave`() throws {
        let text = try concurrently(
            "__",
            { for (step, letter) in "abcdef".enumerated() { try $0.type(letter, at: 1 + step) } },
            { for letter in "ABCDEF".reversed() { try $0.type(letter, at: 1) } })
        #expect(text.contains("abcdef") && text.contains("ABCDEF"), "\(text)")
    }

    @Test func `a run typed with corrections does not interleave`() throws {
        let text = try concurrently(
            "",
            {
                try $0.type("helxx", at: 0)
                try $0.delete(2, at: 3)
                try $0.type("lo", at: 3)
            }, { try $0.type("WORLD", at: 0) })
        #expect(text == "helloWORLD")
    }

    @Test func `text inserted into a run that is deleted meanwhile survives`() throws {
        let text = try concurrently(
            "one two three", { try $0.delete(13, at: 0) }, { try $0.type("!", at: 7) })
        #expect(text == "!")
    }

    @Test func `a character deleted by two devices is deleted once`() throws {
        let text = try concurrently(
            "abcd", { try $0.delete(2, at: 1) }, { try $0.delete(2, at: 1) })
        #expect(text == "ad")
    }

    @Test func `two replacements of one word keep both new words, whole`() throws {
        let replace = { (word: String) in
            { (device: inout Device) in
                try device.delete(3, at: 4)
                try device.type(word, at: 4)
            }
        }
        let text = try concurrently("the cat sat", replace("dog"), replace("fox"))
        #expect(text == "the dogfox sat")
    }

    @Test func `an accent put on a character that is deleted meanwhile joins the one before`()
        throws
    {
        let text = try concurrently(
            "ae", { try $0.delete(1, at: 1) }, { try $0.type("\u{301}", at: 2) })
        #expect(text.unicodeScalars.elementsEqual("a\u{301}".unicodeScalars))
    }

    @Test func `one author's pieces of a long text stay together`() throws {
        let long = String(repeating: "0123456789", count: 20_000)
        let text = try concurrently("<>", { try $0.type(long, at: 1) }, { try $0.type("x", at: 1) })
        #expect(text == "<" + long + "x>")
    }
}

/// A device that edits its own copy.
private struct Device {
    let author: UInt8
    var text = TextDocument()
    var edits: [PlacedEdit] = []
    private var seq: UInt64 = 0

    init(author: UInt8) {
        self.author = author
    }

    init(author: UInt8, from other: Device) {
        self.author = author
        text = other.text
    }

    mutating func type(_ string: some CustomStringConvertible, at offset: Int) throws {
        try take(text.edit(at: offset, deleting: 0, inserting: string.description))
    }

    mutating func delete(_ count: Int, at offset: Int) throws {
        try take(text.edit(at: offset, deleting: count, inserting: ""))
    }

    private mutating func take(_ new: [TextEdit]) {
        for edit in new {
            seq += 1
            let placed = PlacedEdit(edit: edit, position: .of(author, seq))
            #expect(throws: Never.self) { try edit.encoded() }
            edits.append(placed)
            let changed = text.apply(edit, at: placed.position)
            #expect(changed)
        }
    }
}
