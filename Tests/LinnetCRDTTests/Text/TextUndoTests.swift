import LinnetWire
import Testing

@testable import LinnetCRDT

/// One editor takes its edits back while another one writes.
@Suite struct TextUndoTests {
    /// An editor with an undo, whose replica also takes what another author writes.
    private struct Desk {
        var document = TextDocument()
        var shown = ShownText()
        var undo = TextUndo()
        var time: Int64 = 0
        private var next = Position(chain: AuthorID(repeating: 1), seq: 1, index: 0)
        private var other = Position(chain: AuthorID(repeating: 2), seq: 1, index: 0)

        mutating func apply(_ splice: TextSplice) throws {
            for edit in try document.edit(splice) {
                _ = document.apply(edit, at: next)
                next = Position(chain: next.chain, seq: next.seq + 1, index: 0)
            }
        }

        mutating func type(at place: Int, deleting count: Int = 0, _ text: String = "") throws {
            let scalars = try shown.scalars(at: place, count: count, in: .scalars)
            let before = TextNames(document, before: next.chain)
            try apply(shown.splice(scalars, with: text))
            let effect = shown.take(scalars, with: text, from: before, to: document)
            undo.note(effect, at: scalars.lowerBound, time: time)
        }

        /// Writes as the other author, and lets the editor show it.
        mutating func hear(at place: Int, deleting count: Int = 0, _ text: String = "") throws {
            for edit in try document.edit(
                at: place, deleting: count, inserting: text, in: .scalars)
            {
                _ = document.apply(edit, at: other)
                other = Position(chain: other.chain, seq: other.seq + 1, index: 0)
            }
            shown = ShownText(document)
        }

        mutating func step(_ direction: TextUndo.Direction) throws -> Bool {
            guard let step = undo.step(direction, in: document) else { return false }
            let before = TextNames(document, before: next.chain)
            try apply(step.splice)
            undo.finish(step, from: before, to: document)
            shown = ShownText(document)
            return true
        }

        mutating func pause() { time += TextUndo.pause + 1 }
    }

    @Test func `an insertion is taken back, made again and taken back`() throws {
        var desk = Desk()
        try desk.hear(at: 0, "others")
        try desk.type(at: 3, "MINE")
        #expect(desk.document.string == "othMINEers")
        for _ in 0..<3 {
            #expect(try desk.step(.undo))
            #expect(desk.document.string == "others")
            #expect(try !desk.step(.undo))
            #expect(try desk.step(.redo))
            #expect(desk.document.string == "othMINEers")
            #expect(try !desk.step(.redo))
        }
    }

    @Test func `what others wrote within or changed meanwhile stays`() throws {
        var desk = Desk()
        try desk.type(at: 0, "hello")
        try desk.hear(at: 2, "XX")
        try desk.hear(at: 0, deleting: 1)
        #expect(desk.document.string == "eXXllo")
        #expect(try desk.step(.undo))
        #expect(desk.document.string == "XX")
        #expect(try desk.step(.redo))
        #expect(desk.document.string == "eXXllo")
    }

    @Test func `deleted text comes back around what others wrote in its place`() throws {
        var desk = Desk()
        try desk.hear(at: 0, "hello world")
        try desk.type(at: 1, deleting: 9)
        #expect(desk.document.string == "hd")
        try desk.hear(at: 2, "!")
        #expect(try desk.step(.undo))
        #expect(desk.document.string == "hello world!")
    }

    @Test func `text that was deleted and came back is still taken back by older steps`() throws {
        var desk = Desk()
        try desk.type(at: 0, "abc")
        desk.pause()
        try desk.type(at: 1, deleting: 1)
        #expect(try desk.step(.undo))
        #expect(desk.document.string == "abc")
        #expect(try desk.step(.undo))
        #expect(desk.document.string == "")
        #expect(try desk.step(.redo))
        #expect(desk.document.string == "abc")
        #expect(try desk.step(.redo))
        #expect(desk.document.string == "ac")
    }

    @Test func `typing on is one step until there is a pause, and so is deleting on`() throws {
        var desk = Desk()
        for (place, letter) in "abc".enumerated() { try desk.type(at: place, String(letter)) }
        desk.pause()
        try desk.type(at: 3, "d")
        try desk.type(at: 0, "0")
        for place in [4, 3] { try desk.type(at: place, deleting: 1) }
        #expect(desk.document.string == "0ab")
        for text in ["0abcd", "abcd", "abc", ""] {
            #expect(try desk.step(.undo))
            #expect(desk.document.string == text)
        }
        #expect(try !desk.step(.undo) && !desk.undo.canUndo && desk.undo.canRedo)
        try desk.type(at: 0, "new")
        #expect(!desk.undo.canRedo)
    }

    @Test func `a step that would change nothing is passed over`() throws {
        var desk = Desk()
        try desk.type(at: 0, "a")
        desk.pause()
        try desk.type(at: 1, "b")
        try desk.hear(at: 1, deleting: 1)
        #expect(try desk.step(.undo))
        #expect(desk.document.string == "")
    }

    @Test(arguments: 0..<80)
    func `taking all of mine back leaves what others wrote`(seed: Int) throws {
        var random = Seeded(seed)
        var desk = Desk()
        var others = 0
        for _ in 0..<60 {
            let length = desk.document.scalarCount
            let place = random.below(length + 1)
            switch random.below(4) {
            case 0:
                // The letters of others are capitals, each once.
                let letter = String(Unicode.Scalar(UInt8(65 + others % 26)))
                others += 1
                try desk.hear(at: place, letter)
            case 1:
                let count = min(1 + random.below(3), length - place)
                if count > 0 { try desk.type(at: place, deleting: count) }
            case 2:
                _ = try desk.step(random.below(2) == 0 ? .undo : .redo)
            default:
                try desk.type(at: place, "xyz")
            }
            if random.below(3) == 0 { desk.pause() }
        }
        while try desk.step(.undo) {}
        let left = desk.document.string
        #expect(left.count { $0.isLowercase } == 0, "\(left)")
        #expect(left.count == others, "\(left)")
        while try desk.step(.redo) {}
        while try desk.step(.undo) {}
        #expect(desk.document.string.count == others)
    }
}
