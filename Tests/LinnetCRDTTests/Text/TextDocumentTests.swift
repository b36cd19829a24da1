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
}
