import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct SessionStateTests {
    private let state = OpenState(
        AuthorisingState(HandshakingState(), remoteStatic: [], deadline: 0),
        device: DeviceID(repeating: 1), now: 0)

    private func chain(_ number: UInt8) -> ChainKey {
        ChainKey(scope: ScopeID(repeating: 2), chain: AuthorID(repeating: number))
    }

    /// Takes what is sent next off the queue, one batch at a time, as far as `count`.
    private func send(_ count: Int) -> [ChainKey] {
        var sent: [ChainKey] = []
        while sent.count < count, let (key, range) = state.nextQueued {
            state.turn = (key, sent: state.turn.key == key ? state.turn.sent + 1 : 1)
            state.queue[key] =
                range.lowerBound < range.upperBound
                ? range.lowerBound + 1...range.upperBound : nil
            sent.append(key)
        }
        return sent
    }

    @Test func `a short chain does not wait for the end of a long one`() {
        state.queue[chain(1)] = 1...10_000
        state.queue[chain(2)] = 1...1
        state.queue[chain(3)] = 1...10_000
        let sent = send(3 * BatchRun.most)
        #expect(sent.prefix(BatchRun.most).allSatisfy { $0 == chain(1) })
        #expect(sent[BatchRun.most] == chain(2))
        #expect(sent.filter { $0 == chain(3) }.count == BatchRun.most)
        #expect(sent.last == chain(1))
    }

    @Test func `a chain alone goes on, and an empty queue sends nothing`() {
        state.queue[chain(1)] = 5...400
        #expect(send(1_000).count == 396)
        #expect(state.nextQueued == nil)
    }
}
