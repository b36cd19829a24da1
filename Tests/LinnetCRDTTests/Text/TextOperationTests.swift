import LinnetCRDT
import LinnetWire
import Testing

@Suite struct TextOperationTests {
    private let chain = [0x50] + [UInt8](repeating: 1, count: 16)

    @Test func `an insertion's payload is parent, side and text`() throws {
        let start = TextInsertion(parent: nil, side: .right, string: "é")
        #expect(try start.encoded() == [0x83, 0xf6, 1, 0x62, 0xc3, 0xa9])
        let left = TextInsertion(parent: .of(1, 2, 3), side: .left, string: "a")
        let bytes: [UInt8] = [0x83, 0x84] + chain + [2, 0, 3, 0, 0x61, 0x61]
        #expect(try left.encoded() == bytes)
        #expect(try TextInsertion.decode(bytes) == left)
        #expect(try TextInsertion.decode(start.encoded()) == start)
        #expect(try TextEdit.insert(left).encoded() == bytes)
    }

    @Test func `the start of a document has no left side`() throws {
        #expect(TextInsertion(parent: nil, side: .left, string: "a").side == .right)
        #expect(throws: CRDTError.wire(.nonCanonical)) {
            try TextInsertion.decode([0x83, 0xf6, 0, 0x61, 0x61])
        }
    }

    @Test func `malformed insertions are refused`() throws {
        let parent: [UInt8] = [0x83, 0x84] + chain
        for bytes: [UInt8] in [
            [], [0x80], [0x83, 0xf6, 1, 0x60], [0x83, 0xf6, 2, 0x61, 0x61],
            [0x83, 0xf6, 1, 0x61, 0xff], [0x83, 0xf6, 1, 0x61, 0x61, 0], [0x82, 0xf6, 1],
            parent + [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0x61],
            parent + [1, 0, 0x1b, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0x61, 0x61],
        ] {
            #expect(throws: CRDTError.self) { try TextInsertion.decode(bytes) }
        }
        let most = Limits.valueBytes
        let long = TextInsertion(
            parent: nil, side: .right, string: String(repeating: "a", count: most))
        #expect(throws: CRDTError.valueTooLarge) { try long.encoded() }
        #expect(throws: CRDTError.valueTooLarge) {
            try TextInsertion.decode([UInt8](repeating: 0, count: most + 1))
        }
    }

    @Test func `a deletion's payload is its ranges, ascending and joined`() throws {
        let ranges = [(5, 2), (0, 3), (2, 2), (7, 1)].compactMap {
            TextRange(start: .of(1, 2, UInt32($0.0)), count: UInt32($0.1))
        }
        let deletion = TextDeletion(ranges)
        #expect(deletion.ranges.map(\.count) == [4, 3])
        let bytes: [UInt8] =
            [0x82, 0x85] + chain + [2, 0, 0, 4, 0x85] + chain + [2, 0, 5, 3]
        #expect(try deletion.encoded() == bytes)
        #expect(try TextDeletion.decode(bytes) == deletion)
    }

    @Test func `malformed deletions are refused`() throws {
        let range = { (offset: UInt8, count: UInt8) in
            [0x85] + self.chain + [2, 0, offset, count]
        }
        let last: [UInt8] = [0x1a, 0xff, 0xff, 0xff, 0xff]
        for bytes: [UInt8] in [
            [], [0x80], [0xf6], [0x81] + range(0, 0), [0x81] + range(0, 1) + [0],
            [0x82] + range(1, 1) + range(0, 1), [0x82] + range(0, 2) + range(1, 2),
            [0x82] + range(0, 1) + range(1, 1), [0x82] + range(0, 1) + range(0, 1),
            [0x81, 0x85] + chain + [2, 0] + last + [1],
            [0x81, 0x85] + chain + [2, 0, 1] + last,
        ] {
            #expect(throws: CRDTError.self) { try TextDeletion.decode(bytes) }
        }
        #expect(TextRange(start: .of(1, 1, 0), count: 0) == nil)
        #expect(TextRange(start: .of(1, 1, .max), count: 1) == nil)
        #expect(TextRange(start: .of(1, 1, 0), count: .max) != nil)
        let many = TextDeletion(
            (0..<3_000).compactMap { TextRange(start: .of(1, 2 * $0), count: 1) })
        #expect(throws: CRDTError.valueTooLarge) { try many.encoded() }
    }

    @Test func `random payloads are refused, or are what they say`() throws {
        var random = Seeded(4)
        let seeds = [
            try TextInsertion(parent: .of(1, 2, 3), side: .left, string: "añ").encoded(),
            try TextDeletion.one(author: 1, seq: 2, offset: 3, count: 4).encoded(),
        ]
        for _ in 0..<5_000 {
            let bytes = random.mutation(of: seeds[random.below(2)])
            if let insertion = try? TextInsertion.decode(bytes) {
                #expect(try insertion.encoded() == bytes)
            }
            if let deletion = try? TextDeletion.decode(bytes) {
                #expect(try deletion.encoded() == bytes)
            }
        }
    }

    @Test func `ops that hang on themselves, on each other or on nothing are never shown`() throws {
        var text = TextDocument([.typed("ab", parent: nil, author: 1, seq: 1)])
        for placed: PlacedEdit in [
            .typed("self", parent: .of(2, 1), author: 2, seq: 1),
            .typed("one", parent: .of(2, 3), author: 2, seq: 2),
            .typed("two", parent: .of(2, 2, 1), side: .left, author: 2, seq: 3),
            .typed("beyond", parent: .of(1, 1, 2), author: 2, seq: 4),
            .typed("far", parent: .of(1, 1, .max), side: .left, author: 2, seq: 5),
        ] {
            let changed = text.apply(placed.edit, at: placed.position)
            let again = text.apply(placed.edit, at: placed.position)
            #expect(changed && !again)
        }
        let empty = text.insert(TextInsertion(parent: nil, side: .right, string: ""), at: .of(3, 1))
        #expect(!empty && text.string == "ab")
        let (chains, bytes) = text.encoded()
        #expect(try TextDocument.decode(bytes, chains: chains.elements) == text)
        #expect(text.merged(text) == text)
    }

    @Test func `a deletion waits for its text, and what no text has is forgotten`() throws {
        var early = TextDocument()
        let first = early.delete(.one(author: 1, seq: 1, offset: 1, count: 100))
        let again = early.delete(.one(author: 1, seq: 1, offset: 5, count: 3))
        #expect(first && !again)
        let insertion = TextInsertion(parent: nil, side: .right, string: "abc")
        var late = TextDocument()
        _ = late.insert(insertion, at: .of(1, 1))
        let deleted = late.delete(.one(author: 1, seq: 1, offset: 1, count: 100))
        let beyond = late.delete(.one(author: 1, seq: 1, offset: 3, count: .max - 3))
        #expect(deleted && !beyond)
        #expect(early.merged(late) == late && late.merged(early) == late)
        _ = early.insert(insertion, at: .of(1, 1))
        #expect(early == late && early.string == "a")
    }

    @Test func `spans name the writers of every scalar`() throws {
        var text = TextDocument([
            .typed("abcd", parent: nil, author: 1, seq: 1),
            .typed("X", parent: .of(1, 1, 1), side: .left, author: 2, seq: 1),
            .typed("Y", parent: .of(2, 1), author: 2, seq: 2),
        ])
        _ = text.delete(.one(author: 1, seq: 1, offset: 2))
        let spans = text.spans().map { "\($0.position.seq) \($0.offsets) \($0.isDeleted)" }
        #expect(text.string == "aXYbd")
        #expect(
            spans == [
                "1 0..<1 false", "1 0..<1 false", "2 0..<1 false", "1 1..<2 false", "1 2..<3 true",
                "1 3..<4 false",
            ])
    }
}
