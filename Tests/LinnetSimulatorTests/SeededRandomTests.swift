import LinnetSimulator
import Testing

struct SeededRandomTests {
    @Test func `a seed draws the same numbers on every machine`() {
        var random = SeededRandom(seed: 0)
        #expect(
            [random.next(), random.next(), random.next()] == [
                0x99ec_5f36_cb75_f2b4, 0xbf6e_1f78_4956_452a, 0x1a5f_849d_4933_e6e0,
            ])
    }

    @Test func `a draw from a fork shifts neither its parent nor its sibling`() {
        var parent = SeededRandom(seed: 7)
        let untouched = parent
        var first = parent.fork("network", 1)
        let second = parent.fork("network", 2)
        _ = first.next()
        #expect(parent == untouched)
        #expect(parent.fork("network", 2) == second)
        #expect(parent.fork("network", 1) != parent.fork("network", 2))
        #expect(parent.fork("disk", 1) != parent.fork("network", 1))
        _ = parent.next()
        #expect(parent.fork("network", 2) == second)
    }

    @Test func `numbers stay in their range and reach both ends`() {
        var random = SeededRandom(seed: 3)
        var seen = [Int](repeating: 0, count: 6)
        for _ in 0..<600 { seen[random.number(in: 0...5)] += 1 }
        #expect(seen.allSatisfy { $0 > 50 })
    }
}
