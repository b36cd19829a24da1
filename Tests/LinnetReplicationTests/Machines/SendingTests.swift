import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct SendingTests {
    private func chain(_ number: UInt8) -> ChainKey {
        ChainKey(scope: ScopeID(repeating: 2), chain: AuthorID(repeating: number))
    }

    /// Takes what is sent next off the queue, one batch at a time, as far as `count`.
    private func send(
        _ count: Int, _ batch: SealedBatch, from sending: inout Sending
    ) -> [ChainKey] {
        var sent: [ChainKey] = []
        while sent.count < count, let (key, range) = sending.next {
            sending.sent(batch, from: key, range, bytes: 10)
            sent.append(key)
        }
        return sent
    }

    @Test func `a short chain does not wait for the end of a long one`() throws {
        let batch = try Workbench().chain(1)[0]
        var sending = Sending()
        sending.queue[chain(1)] = 1...10_000
        sending.queue[chain(2)] = 1...1
        sending.queue[chain(3)] = 1...10_000
        let sent = send(3 * BatchRun.most, batch, from: &sending)
        #expect(sent.prefix(BatchRun.most).allSatisfy { $0 == chain(1) })
        #expect(sent[BatchRun.most] == chain(2))
        #expect(sent.filter { $0 == chain(3) }.count == BatchRun.most)
        #expect(sent.last == chain(1))
    }

    @Test func `a chain alone goes on, and an empty queue sends nothing`() throws {
        let batch = try Workbench().chain(1)[0]
        var sending = Sending()
        sending.queue[chain(1)] = 5...400
        #expect(send(1_000, batch, from: &sending).count == 396)
        #expect(sending.next == nil && sending.upTo[chain(1)] == 400)
        #expect(sending.bytes == 3_960 && sending.last?.id == batch.id)
    }
}
