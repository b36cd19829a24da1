import LinnetWire
import Testing

@testable import LinnetCRDT

/// Records that are written in parts.
@Suite struct RecordWritingTests {
    /// A record of every kind whose text several devices wrote.
    private func record(seed: Int, edits: Int) throws -> RecordState {
        var random = Seeded(seed)
        var desk = try RecordDesk()
        try desk.write(0, .add(field: 5, .text("tag")), .count(field: 4, key: "k", amount: .int(2)))
        for _ in 0..<edits {
            let device = random.below(3)
            let field = desk.collection.field(id: 6)
            let shown = try desk.states[device].content(of: 6)?.values(of: #require(field))
            var length = 0
            if case .text(let text)? = shown?.first { length = text.count }
            let count = min(random.below(3), length)
            let place = random.below(length - count + 1)
            try desk.write(
                device, .edit(field: 6, at: place, deleting: count, inserting: "aß👍"))
            if random.below(5) == 0 { desk.meet() }
        }
        desk.meet()
        return desk.states[0]
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func `a record that is written in parts has the same bytes`(runs: Int) throws {
        for seed in 0..<8 {
            let state = try record(seed: seed, edits: 30)
            var writing = try #require(RecordWriting(state))
            var parts = 1
            while !writing.goOn(runs) { parts += 1 }
            #expect(writing.bytes == RecordRow.encode(state))
            #expect(runs > 2 || parts > 5)
        }
    }

    @Test func `a record without a text is not written in parts`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .add(field: 5, .text("tag")))
        #expect(RecordWriting(desk.states[0]) == nil)
    }

    @Test func `a text never takes more bytes than its bound`() throws {
        for seed in 0..<200 {
            var history = TextHistory(seed: seed, replicas: 1 + seed % 4)
            for _ in 0..<(seed % 60) { try history.step() }
            let part = TextDocument(Array(history.shuffled().prefix(history.edits.count / 2)))
            for text in history.texts + [part] {
                let (chains, bytes) = text.encoded()
                let most = try #require(text.rowBytesAtMost)
                #expect(bytes.count + 17 * chains.count <= most, "seed \(seed)")
            }
        }
    }

    @Test func `a number takes as many bytes as are counted for it`() {
        for number: UInt64 in [0, 1, 127, 128, 16_383, 16_384, 1 << 35, .max] {
            var column = TextColumn()
            column.append(number)
            #expect(TextColumn.bytes(of: number) == column.bytes.count)
        }
    }
}
