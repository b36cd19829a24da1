import LinnetCRDT
import LinnetWire
import Testing

@Suite struct TextEditingTests {
    private static let tricky =
        "a\r\nb👩‍👩‍👦c🇦🇹🇩🇪e\u{301}\u{323}한각क्षि1️⃣👍🏽\u{600}9z"

    private func document(_ string: String) -> TextDocument {
        TextDocument([.typed(string, parent: nil, author: 1, seq: 1)])
    }

    private func applying(_ edits: [TextEdit], to text: TextDocument) -> String {
        var text = text
        for (step, edit) in edits.enumerated() {
            _ = text.apply(edit, at: .of(7, UInt64(step) + 1))
        }
        return text.string
    }

    @Test func `an edit takes and keeps whole characters`() throws {
        let all = Array(TextEditingTests.tricky)
        let text = document(TextEditingTests.tricky)
        #expect(text.characterCount == all.count)
        for start in 0...all.count {
            for end in start...all.count {
                let edits = try text.edit(at: start, deleting: end - start, inserting: "X")
                let expected = String(all[..<start]) + "X" + String(all[end...])
                #expect(
                    applying(edits, to: text).unicodeScalars.elementsEqual(expected.unicodeScalars))
            }
        }
    }

    @Test func `offsets count characters also where devices' scalars join into one`() throws {
        for seed in 0..<60 {
            var history = TextHistory(seed: seed, replicas: 3)
            for _ in 0..<60 { try history.step() }
            let text = TextDocument(history.edits)
            let all = Array(text.string)
            #expect(text.characterCount == all.count)
            for start in all.indices {
                let edits = try text.edit(at: start, deleting: 1, inserting: "")
                let expected = String(all[..<start]) + String(all[(start + 1)...])
                #expect(
                    applying(edits, to: text).unicodeScalars.elementsEqual(expected.unicodeScalars))
            }
        }
    }

    @Test func `offsets outside the text are refused`() throws {
        let text = document("abc👍🏽")
        for (offset, count) in [
            (-1, 0), (0, -1), (5, 0), (0, 5), (4, 1), (2, .max), (.max, .max), (.max, 1), (.min, 1),
            (1, .min),
        ] {
            #expect(throws: TextError.outOfRange) {
                try text.edit(at: offset, deleting: count, inserting: "x")
            }
        }
        for (offset, count) in [(-1, 0), (0, -1), (6, 0), (5, 1), (.max, .max), (.min, .max)] {
            #expect(throws: TextError.outOfRange) {
                try text.edit(at: offset, deleting: count, inserting: "x", in: .scalars)
            }
        }
        #expect(try text.edit(at: 4, deleting: 0, inserting: "").isEmpty)
    }

    @Test func `a whole document typed by character is deleted in ops that fit`() throws {
        var text = TextDocument()
        for step in 0..<4_000 {
            for edit in try text.edit(at: step, deleting: 0, inserting: "x", in: .scalars) {
                _ = text.apply(edit, at: .of(1, UInt64(step) * 2 + 1))
            }
        }
        let edits = try text.edit(at: 0, deleting: 4_000, inserting: "")
        #expect(edits.count == 3)
        for edit in edits {
            guard case .delete(let deletion) = edit else { throw TextError.outOfRange }
            #expect(try TextDeletion.decode(edit.encoded()) == deletion)
        }
        #expect(applying(edits, to: text).isEmpty)
    }

    @Test func `a long text is inserted in ops that fit, cut between characters`() throws {
        let long = String(repeating: "👩‍👩‍👦e\u{301}", count: 10_000)
        let text = document("<>")
        let edits = try text.edit(at: 1, deleting: 0, inserting: long)
        #expect(edits.count == 4)
        for edit in edits {
            guard case .insert(let insertion) = edit else { throw TextError.outOfRange }
            #expect(try TextInsertion.decode(edit.encoded()) == insertion)
            #expect(
                !insertion.string.hasPrefix("\u{301}"))
        }
        #expect(applying(edits, to: text) == "<" + long + ">")
        let giant = "e" + String(repeating: "\u{301}", count: 80_000)
        let pieces = try text.edit(at: 1, deleting: 0, inserting: giant)
        #expect(pieces.count == 3)
        #expect(
            applying(pieces, to: text).unicodeScalars.elementsEqual(
                ("<" + giant + ">").unicodeScalars))
    }

    @Test func `a new text is reached from any old one`() throws {
        var random = Seeded(5)
        for seed in 0..<200 {
            var history = TextHistory(seed: seed, replicas: 2)
            for _ in 0..<50 { try history.step() }
            let text = TextDocument(history.edits)
            var new = Array(text.string)
            for _ in 0..<random.below(6) {
                let place = random.below(new.count + 1)
                let letter = TextHistory.alphabet[random.below(TextHistory.alphabet.count)]
                if random.below(2) == 0 || place == new.count {
                    new.insert(contentsOf: letter, at: place)
                } else {
                    new.remove(at: place)
                }
            }
            let reached = applying(text.edit(to: String(new)), to: text)
            #expect(
                reached.unicodeScalars.elementsEqual(String(new).unicodeScalars), "seed \(seed)")
        }
    }

    @Test func `reaching a new text touches only what differs`() throws {
        let text = document("the quick brown fox")
        #expect(text.edit(to: "the quick brown fox").isEmpty)
        let edits = text.edit(to: "the slow brown foxes")
        let deleted = edits.reduce(0) { sum, edit in
            guard case .delete(let deletion) = edit else { return sum }
            return deletion.ranges.reduce(sum) { $0 + Int($1.count) }
        }
        let inserted = edits.reduce(0) { sum, edit in
            guard case .insert(let insertion) = edit else { return sum }
            return sum + insertion.string.count
        }
        #expect((deleted, inserted) == (5, 6))
        #expect(applying(edits, to: text) == "the slow brown foxes")
    }

    @Test func `a composed and a decomposed letter are different texts`() throws {
        let text = document("caf\u{e9}")
        let reached = applying(text.edit(to: "cafe\u{301}"), to: text)
        #expect(reached.unicodeScalars.elementsEqual("cafe\u{301}".unicodeScalars))
    }

    @Test func `texts too different to compare are replaced as a piece`() throws {
        let old = String(repeating: "abcdefghij", count: 300)
        let new = String(repeating: "0123456789", count: 300)
        let text = document("<" + old + ">")
        let edits = text.edit(to: "<" + new + ">")
        #expect(edits.count == 2)
        #expect(applying(edits, to: text) == "<" + new + ">")
    }
}
