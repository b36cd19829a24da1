import LinnetCRDT
import LinnetWire
import Testing

@Suite struct TextDocumentTests {
    private let seeds = 0..<600

    private func history(_ seed: Int) throws -> TextHistory {
        var history = TextHistory(seed: seed, replicas: 2 + seed % 4)
        for _ in 0..<(5 + seed % 40) { try history.step() }
        return history
    }

    @Test func `every replica shows what the paper's tree shows`() throws {
        for seed in seeds {
            let history = try history(seed)
            for (text, naive) in zip(history.texts, history.naive) {
                #expect(text.string == naive.string, "seed \(seed)")
                #expect(text.scalarCount == naive.string.unicodeScalars.count)
                #expect(text.characterCount == naive.string.count)
            }
        }
    }

    @Test func `ops in any order, causal or not, and repeated, give one state`() throws {
        for seed in seeds {
            var history = try history(seed)
            var naive = NaiveText()
            for placed in history.edits { naive.apply(placed.edit, at: placed.position) }
            let expected = TextDocument(history.edits)
            let bytes = expected.encoded().bytes
            #expect(expected.string == naive.string, "seed \(seed)")
            let orders = [history.causal(), history.shuffled(), history.shuffled()]
            for order in orders {
                var text = TextDocument(order)
                #expect(text.encoded().bytes == bytes, "seed \(seed)")
                for placed in order {
                    let changed = text.apply(placed.edit, at: placed.position)
                    #expect(!changed)
                }
                #expect(text == expected, "seed \(seed)")
            }
        }
    }

    @Test func `any part of the ops in any order is what the paper's tree makes of it`() throws {
        for seed in seeds {
            var history = try history(seed)
            let part = Array(history.shuffled().prefix(history.edits.count * 2 / 3))
            var naive = NaiveText()
            var text = TextDocument()
            for placed in part {
                naive.apply(placed.edit, at: placed.position)
                _ = text.apply(placed.edit, at: placed.position)
                #expect(text.string == naive.string, "seed \(seed)")
            }
            #expect(text == TextDocument(part.reversed()), "seed \(seed)")
        }
    }

    @Test func `union is commutative, associative, idempotent, and equal to all ops`() throws {
        for seed in seeds.prefix(300) {
            var history = try history(seed)
            let edits = history.shuffled()
            let third = edits.count / 3
            let first = TextDocument(Array(edits[..<(2 * third)]))
            let second = TextDocument(Array(edits[third...]))
            let last = TextDocument(Array(edits.suffix(third) + edits.prefix(third)))
            let all = TextDocument(history.edits)
            #expect(first.merged(second) == second.merged(first), "seed \(seed)")
            #expect(first.merged(second) == all, "seed \(seed)")
            #expect(
                first.merged(second).merged(last) == first.merged(second.merged(last)),
                "seed \(seed)")
            #expect(first.merged(first) == first, "seed \(seed)")
            #expect(first.merged(TextDocument()) == first, "seed \(seed)")
            #expect(TextDocument().merged(last) == last, "seed \(seed)")
            #expect(all.merged(second) == all, "seed \(seed)")
        }
    }

    @Test func `a reference with siblings in the order of RGA is told apart`() throws {
        var differences = 0
        for seed in seeds {
            let history = try history(seed)
            for (text, naive) in zip(history.texts, history.naive) {
                var wrong = naive
                wrong.siblings = .descending
                if text.string != wrong.string { differences += 1 }
            }
        }
        #expect(differences > 100)
    }

    @Test func `an insertion says what the paper's algorithm says`() throws {
        for seed in seeds.prefix(200) {
            let history = try history(seed)
            for (text, naive) in zip(history.texts, history.naive) {
                for offset in stride(from: 0, through: text.scalarCount, by: 3) {
                    let edits = try text.edit(at: offset, deleting: 0, inserting: "x", in: .scalars)
                    #expect(edits == [.insert(naive.insertion(of: "x", at: offset))])
                }
            }
        }
    }

    @Test func `a deleted scalar stays before the siblings of the scalar that follows it`() {
        let typed: [PlacedEdit] = [
            .typed("x", parent: nil, author: 2, seq: 1),
            .typed("a", parent: .of(2, 1), author: 2, seq: 2),
            .typed("B", parent: .of(2, 2), author: 1, seq: 1),
            .typed("c", parent: .of(2, 2), author: 2, seq: 3),
        ]
        let deletions = [
            TextDeletion.one(author: 2, seq: 3, offset: 0),
            TextDeletion.one(author: 2, seq: 2, offset: 0),
        ].map { PlacedEdit(edit: .delete($0), position: .of(3, 1)) }
        let text = TextDocument(typed + deletions)
        #expect(text == TextDocument(deletions + typed) && text.string == "xB")
    }

    @Test func `a text that is changed in place is equal after a copy was taken`() throws {
        var text = TextDocument([.typed("ab", parent: nil, author: 1, seq: 1)])
        let copy = text
        let changed = text.delete(.one(author: 1, seq: 1, offset: 0))
        #expect(changed)
        #expect((text.string, copy.string) == ("b", "ab"))
        #expect(text != copy)
    }
}

extension TextDocument {
    func merged(_ other: TextDocument) -> TextDocument {
        var merged = self
        merged.merge(other)
        return merged
    }
}

extension PlacedEdit {
    /// Text on the right side of a parent.
    static func typed(
        _ string: String, parent: TextID?, side: TextSide = .right, author: UInt8, seq: UInt64
    ) -> PlacedEdit {
        PlacedEdit(
            edit: .insert(TextInsertion(parent: parent, side: side, string: string)),
            position: .of(author, seq))
    }
}

extension Position {
    static func of(_ author: UInt8, _ seq: UInt64, index: UInt32 = 0) -> Position {
        Position(chain: AuthorID(repeating: author), seq: seq, index: index)
    }
}

extension TextID {
    static func of(_ author: UInt8, _ seq: UInt64, _ offset: UInt32 = 0) -> TextID {
        TextID(position: .of(author, seq), offset: offset)
    }
}

extension TextDeletion {
    static func one(author: UInt8, seq: UInt64, offset: UInt32, count: UInt32 = 1) -> TextDeletion {
        TextDeletion(
            [TextRange(start: .of(author, seq, offset), count: count)].compactMap { $0 })
    }
}
