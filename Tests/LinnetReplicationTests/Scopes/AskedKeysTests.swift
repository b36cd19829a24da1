import LinnetWire
import Testing

@testable import LinnetReplication

/// The keys that were asked of a peer.
struct AskedKeysTests {
    private func name(_ byte: UInt8) -> WantedKey {
        WantedKey(
            epoch: EpochID(repeating: byte), scope: ScopeID(repeating: byte), author: nil)
    }

    @Test func `an answer is due for each question, and an empty one will do`() {
        var asked = AskedKeys()
        #expect(!asked.isAnswerDue)
        asked.ask([name(1), name(2)])
        asked.ask([name(3)])
        #expect(asked.isAnswerDue)
        let isGood = asked.answer([name(2)])
        #expect(isGood && asked.isAnswerDue)
        let isEmptyGood = asked.answer([])
        #expect(isEmptyGood && !asked.isAnswerDue)
        // One that nobody waits for counts for no later question.
        _ = asked.answer([])
        asked.ask([name(4)])
        #expect(asked.isAnswerDue)
    }

    @Test func `keys that nobody asked for are no answer`() {
        var asked = AskedKeys()
        asked.ask([name(1)])
        let isGood = asked.answer([name(1), name(2)])
        #expect(!isGood && asked.isAnswerDue)
        #expect(asked.contains(name(1)) && !asked.contains(name(2)))
    }
}
