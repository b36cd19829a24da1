import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct ReceivingTests {
    private let key = ChainKey(scope: ScopeID(repeating: 1), chain: AuthorID(repeating: 2))

    @Test func `what was asked for is not asked for again`() {
        var receiving = Receiving()
        let first = receiving.want(key, from: 1, to: 5)
        let again = receiving.want(key, from: 1, to: 5)
        let rest = receiving.want(key, from: 1, to: 8)
        #expect(first.map { [$0.first, $0.last] } == [[1, 5]])
        #expect(again.isEmpty)
        #expect(rest.map { [$0.first, $0.last] } == [[6, 8]])
    }

    @Test func `a whole chain is asked for once`() {
        var receiving = Receiving()
        let first = receiving.wantAll(key, to: 9)
        let again = receiving.wantAll(key, to: 9)
        #expect(first.map(\.first) == [1] && again.isEmpty)
    }

    @Test func `credit is granted when a quarter of it is spent`() {
        var receiving = Receiving()
        let quarter = Limits.unacknowledgedBytes / 4
        let early = receiving.take(quarter - 1)
        let none = receiving.grant()
        let spent = receiving.take(1)
        let granted = receiving.grant()
        #expect(early && none == nil && spent)
        #expect(granted == UInt64(quarter + Limits.unacknowledgedBytes))
        let flood = receiving.take(2 * Limits.unacknowledgedBytes)
        #expect(!flood)
    }
}
