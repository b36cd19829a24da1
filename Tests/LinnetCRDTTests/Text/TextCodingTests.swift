import LinnetCRDT
import LinnetWire
import Testing

@Suite struct TextCodingTests {
    private func texts() throws -> [TextDocument] {
        try (0..<150).flatMap { seed in
            var history = TextHistory(seed: seed, replicas: 3)
            for _ in 0..<(seed % 50) { try history.step() }
            let part = Array(history.shuffled().prefix(history.edits.count / 2))
            return history.texts + [TextDocument(history.edits), TextDocument(part)]
        }
    }

    @Test func `what is written is read, and written the same`() throws {
        for text in try texts() {
            let (chains, bytes) = text.encoded()
            let read = try TextDocument.decode(bytes, chains: chains.elements)
            #expect(read == text)
            #expect(read.string == text.string)
            #expect(read.spans() == text.spans())
            #expect(read.encoded().bytes == bytes)
        }
    }

    @Test func `a text that was read goes on as one that was not`() throws {
        for seed in 0..<60 {
            var history = TextHistory(seed: seed, replicas: 3)
            for _ in 0..<50 { try history.step() }
            var text = TextDocument()
            for placed in history.shuffled() {
                let (chains, bytes) = text.encoded()
                text = try TextDocument.decode(bytes, chains: chains.elements)
                _ = text.apply(placed.edit, at: placed.position)
            }
            #expect(text == TextDocument(history.edits), "seed \(seed)")
        }
    }

    @Test func `other chains in the table change numbers, not the text`() throws {
        let text = TextDocument([
            .typed("ab", parent: nil, author: 3, seq: 1),
            .typed("x", parent: .of(3, 1), author: 5, seq: 1),
        ])
        let chains = OrderedSet((1...6).map { AuthorID(repeating: $0) })
        var writer = CBORWriter()
        text.write(to: &writer, chains: chains)
        #expect(try TextDocument.decode(writer.bytes, chains: chains.elements) == text)
        #expect(throws: WireError.tooLarge) {
            try TextDocument.decode(writer.bytes, chains: Array(chains.elements.prefix(4)))
        }
    }

    @Test func `hostile bytes are refused, or are what they say`() throws {
        var random = Seeded(11)
        var accepted = 0
        for text in try texts() {
            let (chains, bytes) = text.encoded()
            for _ in 0..<60 {
                let mutated = random.mutation(of: bytes)
                guard var read = try? TextDocument.decode(mutated, chains: chains.elements)
                else { continue }
                accepted += 1
                #expect(read.encoded(chains) == mutated)
                #expect(read.string.unicodeScalars.count == read.scalarCount)
                exercise(&read, with: text)
            }
        }
        #expect(accepted > 50)
    }

    /// Nothing of this may trap, whatever the state claims.
    private func exercise(_ read: inout TextDocument, with text: TextDocument) {
        let merged = read.merged(text)
        #expect(text.merged(read).merged(read).scalarCount >= 0 && merged.merged(merged) == merged)
        let edits = try? read.edit(
            at: 0, deleting: min(3, read.scalarCount), inserting: "!", in: .scalars)
        for (step, edit) in (edits ?? []).enumerated() {
            _ = read.apply(edit, at: .of(77, UInt64(step) + 1))
        }
        for edit in read.edit(to: "hostile") { _ = read.apply(edit, at: .of(78, 1)) }
        #expect(read.characterCount <= read.scalarCount && read.spans().count >= 0)
    }

    @Test func `bytes of the wrong kind are refused`() {
        for bytes: [UInt8] in [
            [], [0x80], [0xf6], [0x85], [0x85, 0x41, 0, 0x60, 0x40, 0x60],
            [0x84, 0x41, 0, 0x60, 0x40, 0x60],
            [0x85, 0x40, 0x60, 0x40, 0x60, 0x40],
            [0x85, 0x41, 1, 0x60, 0x40, 0x60, 0x40],
            [0x85, 0x42, 0x80, 0, 0x60, 0x40, 0x60, 0x40],
            [0x85, 0x42, 0, 0, 0x60, 0x40, 0x60, 0x40],
            [0x85, 0x41, 0, 0x61, 0x61, 0x40, 0x60, 0x40],
            [0x85, 0x41, 0, 0x60, 0x40, 0x61, 0x61, 0x40],
            // Counts without end: as many runs as there are numbers, one of 2^63 scalars.
            [0x85, 0x49] + Array(repeating: 0xff, count: 8) + [0x7f, 0x60, 0x40, 0x60, 0x40],
            [
                0x85, 0x4d, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 2, 0x60,
                0x40, 0x60, 0x40,
            ],
        ] {
            #expect(throws: WireError.self) {
                try TextDocument.decode(bytes, chains: [AuthorID(repeating: 1)])
            }
        }
    }

    @Test func `a deleted run may be long beyond memory and is only counted`() throws {
        // One root, deleted, 2^31 scalars of chain 0, sequence number 1.
        let bytes: [UInt8] =
            [0x85, 0x49, 1, 1, 0x80, 0x80, 0x80, 0x80, 0x08, 0, 2, 0x60, 0x40, 0x60, 0x40]
        var text = try TextDocument.decode(bytes, chains: [AuthorID(repeating: 1)])
        #expect(text.string.isEmpty)
        #expect(text.spans().map(\.offsets) == [0..<0x8000_0000])
        let changed = text.insert(
            TextInsertion(parent: .of(1, 1, 1_000_000), side: .left, string: "x"),
            at: .of(2, 1))
        #expect(changed && text.string == "x" && text.spans().count == 3)
    }

    @Test func `a document of fifty thousand ops stays small and exact`() throws {
        var random = Seeded(3)
        var text = TextDocument()
        var mirror: [Unicode.Scalar] = []
        var remote = TextDocument()
        var cursor = 0
        for seq in 1...50_000 as ClosedRange<UInt64> {
            if random.below(12) == 0 { cursor = random.below(mirror.count + 1) }
            let deleting = cursor > 0 && random.below(10) < 3
            let letter: Unicode.Scalar = ["a", "b", "c", " "][random.below(4)]
            if deleting {
                cursor -= 1
                mirror.remove(at: cursor)
            }
            let edits = try text.edit(
                at: cursor, deleting: deleting ? 1 : 0,
                inserting: deleting ? "" : String(letter), in: .scalars)
            if !deleting {
                mirror.insert(letter, at: cursor)
                cursor += 1
            }
            for edit in edits {
                _ = text.apply(edit, at: .of(1, seq))
                _ = remote.apply(edit, at: .of(1, seq))
            }
        }
        #expect(text.string.unicodeScalars.elementsEqual(mirror))
        #expect(remote == text)
        #expect(text.encoded().bytes.count < 3 * 50_000)
    }
}

extension TextDocument {
    /// The canonical bytes under a given table.
    fileprivate func encoded(_ chains: OrderedSet<AuthorID>) -> [UInt8] {
        var writer = CBORWriter()
        write(to: &writer, chains: chains)
        return writer.bytes
    }
}
