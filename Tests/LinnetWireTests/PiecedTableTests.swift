import LinnetWire
import Testing

@Suite struct PiecedTableTests {
    @Test func `a table holds what is put in, in order, across many pieces`() {
        var state: UInt64 = 7
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
        }
        let even: [(Int, Int)] = (0..<1_500).map { (2 * $0, 7 * $0) }
        var table = PiecedTable(ascending: even)
        var mirror = Dictionary(uniqueKeysWithValues: even)
        for step in 0..<9_000 {
            let key = below(4_000)
            switch below(4) {
            case 0:
                table[key] = nil
                mirror[key] = nil
            case 1:
                table[key] = step
                mirror[key] = step
            case 2:
                table[key, default: 5] += 1
                mirror[key, default: 5] += 1
            default: #expect(table[key] == mirror[key])
            }
            #expect(table.count == mirror.count)
        }
        let sorted = mirror.keys.sorted()
        #expect(table.map(\.key) == sorted)
        #expect(table.allSatisfy { mirror[$0.key] == $0.value })
        #expect((table.first?.key, table.last?.key) == (sorted.first, sorted.last))
        for key in stride(from: -1, through: 4_001, by: 7) {
            #expect(table.first(atOrAfter: key)?.key == sorted.first { $0 >= key })
            #expect(table.first(after: key)?.key == sorted.first { $0 > key })
            #expect(table.last(before: key)?.key == sorted.last { $0 < key })
        }
        let entries: [(Int, Int)] = sorted.map { ($0, mirror[$0] ?? 0) }
        let anew = PiecedTable(ascending: entries)
        #expect(anew == table)
        for key in sorted { table[key] = nil }
        #expect(table.isEmpty && table.first == nil && table[1] == nil && table != anew)
        #expect(table.first(after: 0) == nil && table.last(before: 0) == nil)
    }

    @Test func `a change in place keeps the count, also where it divides a piece`() {
        var table = PiecedTable<Int, [Int]>()
        for key in (0..<2_000).reversed() { table[key, default: []].append(key) }
        for key in 0..<2_000 { table[key, default: []].append(0 - key) }
        #expect(table.count == 2_000 && table.map(\.value) == (0..<2_000).map { [$0, 0 - $0] })
    }
}
