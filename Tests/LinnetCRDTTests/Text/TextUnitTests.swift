import Testing

@testable import LinnetCRDT

/// The offsets of a text in all units, beside those of `String`.
@Suite struct TextUnitTests {
    // Each class of Unicode Standard Annex 29 is here, and what the rules put together.
    private static let classes = [
        "a", "’", "…", "€", "\r", "\n", "\u{7}", "\u{301}", "\u{308}", "\u{fe0f}", "\u{20e3}",
        "\u{200d}", "🇦", "🇹", "\u{600}", "\u{903}", "\u{e33}", "ก", "\u{e31}", "\u{1100}",
        "\u{1161}", "\u{11a8}", "가", "각", "😀", "👩", "❤", "🏽", "क", "\u{94d}", "ष", "\u{93f}",
        "م", "\u{64e}", "中", "\u{e0061}", "\u{378}", "\u{f0000}", "👩‍👩‍👦", "क्षि", "é",
    ]

    private func expectAgreement(_ text: TextDocument, _ note: Comment) {
        let string = text.string
        let tree = text.tree
        #expect(text.count(in: .characters) == string.count, note)
        #expect(text.count(in: .scalars) == string.unicodeScalars.count, note)
        #expect(text.count(in: .utf16) == string.utf16.count, note)
        var starts = [0]
        for character in string {
            starts.append((starts.last ?? 0) + character.unicodeScalars.count)
        }
        let found = (0...string.count).map { tree.scalarOffset(ofCharacter: $0) }
        #expect(found == starts, note)
        #expect(tree.scalarOffset(ofCharacter: string.count + 1) == nil)
        var units = 0
        for (place, scalar) in string.unicodeScalars.enumerated() {
            #expect((try? tree.scalarOffset(ofUTF16: units)) == place, note)
            if UTF16.width(scalar) == 2 {
                let inside = units + 1
                #expect(throws: TextError.insideSurrogatePair) {
                    try tree.scalarOffset(ofUTF16: inside)
                }
            }
            units += UTF16.width(scalar)
        }
        #expect((try? tree.scalarOffset(ofUTF16: units)) == text.scalarCount, note)
        #expect(throws: TextError.outOfRange) { try tree.scalarOffset(ofUTF16: units + 1) }
    }

    @Test func `every unit agrees with String while devices edit, merge and read bytes`() throws {
        for seed in 0..<40 {
            var history = TextHistory(seed: seed, replicas: 3, alphabet: Self.classes)
            for step in 0..<50 {
                try history.step()
                for text in history.texts { expectAgreement(text, "seed \(seed), step \(step)") }
            }
            var merged = history.texts[0]
            for text in history.texts[1...] { merged.merge(text) }
            expectAgreement(merged, "merged, seed \(seed)")
            expectAgreement(TextDocument(history.shuffled()), "shuffled, seed \(seed)")
            let (chains, bytes) = merged.encoded()
            expectAgreement(
                try TextDocument.decode(bytes, chains: Array(chains)), "read, seed \(seed)")
        }
    }

    @Test(arguments: [
        ["🇦"], ["\u{301}"], ["👩", "\u{200d}"], ["\u{1100}", "\u{1161}"], ["a", "ก", "\u{e31}"],
        classes,
    ])
    func `long texts are edited anywhere, and agree with String`(alphabet: [String]) throws {
        var random = Seeded(alphabet.count)
        var text = TextDocument()
        var mirror: [Unicode.Scalar] = []
        for seq in 1...160 as ClosedRange<UInt64> {
            let place = random.below(mirror.count + 1)
            let deleted = random.below(2) * min(random.below(9), mirror.count - place)
            var inserted = ""
            for _ in 0..<random.below(random.below(8) == 0 ? 300 : 4) {
                inserted += alphabet[random.below(alphabet.count)]
            }
            let edits = try text.edit(
                at: place, deleting: deleted, inserting: inserted, in: .scalars)
            for (index, edit) in edits.enumerated() {
                _ = text.apply(edit, at: .of(1, seq, index: UInt32(index)))
            }
            mirror.replaceSubrange(place..<place + deleted, with: inserted.unicodeScalars)
            #expect(text.string.unicodeScalars.elementsEqual(mirror))
            if seq % 8 == 0 { expectAgreement(text, "seq \(seq)") }
        }
        let (chains, bytes) = text.encoded()
        let read = try TextDocument.decode(bytes, chains: Array(chains))
        #expect(read == text)
        expectAgreement(read, "read")
    }

    @Test func `a CharacterState starts characters where String does, and equal ones go on alike`()
    {
        var random = Seeded(4)
        for _ in 0..<300 {
            let string = (0..<8).map { _ in Self.classes[random.below(Self.classes.count)] }
                .joined()
            var state = CharacterState.start
            let starts = string.unicodeScalars.map { state.starts($0) }
            var expected: [Bool] = []
            for character in string {
                expected += [true]
                expected += character.unicodeScalars.dropFirst().map { _ in false }
            }
            #expect(starts == expected, "\(string.unicodeScalars.map(\.value))")
        }
        var (one, other) = (CharacterState.start, CharacterState.start)
        for scalar in "🇦🇹x".unicodeScalars { _ = one.starts(scalar) }
        for scalar in "e\u{301}x".unicodeScalars { _ = other.starts(scalar) }
        #expect(one == other)
    }

    @Test func `the runs of a TextTree are short where letters join, and only there`() {
        let plain = String(repeating: "a", count: 500)
        let marks = String(repeating: "e\u{301}", count: 500)
        for (string, most) in [(plain, 1), (marks, 1 + 1_000 / TextTree.unevenRunLength)] {
            let text = TextDocument([.typed(string, parent: nil, author: 1, seq: 1)])
            #expect(text.tree.runs.count <= most)
            #expect(text.tree.runs.allSatisfy { $0.isEven || $0.count <= 32 })
        }
    }

    @Test func `a text that becomes uneven late has the bytes of one that always was`() throws {
        var text = TextDocument([.typed("plain words", parent: nil, author: 1, seq: 1)])
        for (step, letter) in ["e\u{301}", "🏽", "🇦🇹", "x"].enumerated() {
            for edit in try text.edit(at: 5 + step, deleting: 1, inserting: letter) {
                _ = text.apply(edit, at: .of(1, UInt64(2 * step) + (edit.isDeletion ? 2 : 3)))
            }
            expectAgreement(text, "step \(step)")
        }
        let (chains, bytes) = text.encoded()
        let read = try TextDocument.decode(bytes, chains: Array(chains))
        #expect(read.encoded().bytes == bytes)
    }

    @Test func `an edit in UTF-16 units takes what an editor on such units means`() throws {
        let text = TextDocument([.typed("a👍🏽e\u{301}z", parent: nil, author: 1, seq: 1)])
        var edited = text
        for (step, edit) in try text.edit(at: 1, deleting: 4, inserting: "b", in: .utf16)
            .enumerated()
        {
            _ = edited.apply(edit, at: .of(2, UInt64(step) + 1))
        }
        #expect(edited.string == "abe\u{301}z")
        for (offset, count) in [(2, 0), (1, 1), (3, 1), (4, 2)] {
            #expect(throws: TextError.insideSurrogatePair) {
                try text.edit(at: offset, deleting: count, inserting: "x", in: .utf16)
            }
        }
        for (offset, count) in [(-1, 0), (9, 0), (8, 1), (0, 9), (.max, .max)] {
            #expect(throws: TextError.outOfRange) {
                try text.edit(at: offset, deleting: count, inserting: "x", in: .utf16)
            }
        }
    }
}

extension TextEdit {
    fileprivate var isDeletion: Bool {
        if case .delete = self { true } else { false }
    }
}
