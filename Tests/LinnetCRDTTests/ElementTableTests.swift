import LinnetWire
import Testing

@testable import LinnetCRDT

/// The elements of a large set, which lie in pages.
@Suite struct ElementTableTests {
    private func key(_ number: Int) -> ByteString {
        ByteString((0..<3).map { UInt8(truncatingIfNeeded: number >> (16 - 8 * $0)) })
    }

    private func position(_ number: Int) -> Position {
        Position(chain: .zero, seq: UInt64(number), index: 0)
    }

    private func table(_ numbers: some Sequence<Int>) -> ElementTable {
        var table = ElementTable()
        for number in numbers { table.change(key(number)) { $0 = [position(number)] } }
        return table
    }

    @Test func `it holds what a dictionary holds, in order`() {
        var table = ElementTable()
        var known: [Int: [Position]] = [:]
        var random = Seeded(7)
        for round in 1...12_000 {
            let number = random.below(3_000)
            let adds = random.below(5) < 3
            table.change(key(number)) { positions in
                if adds { positions.append(position(round)) } else { positions.removeAll() }
            }
            if adds {
                known[number, default: []].append(position(round))
            } else {
                known[number] = nil
            }
        }
        let expected = known.sorted { $0.key < $1.key }
        #expect(table.count == known.count && known.count > 1_000)
        #expect(table.keys == expected.map { key($0.key) })
        #expect(table.entries.map(\.1) == expected.map(\.value))
        #expect(table.last == expected.last.map { key($0.key) })
        #expect((0..<3_000).allSatisfy { table[key($0)] == known[$0] })
        #expect((0..<3_000).allSatisfy { table.contains(key($0)) == (known[$0] != nil) })
    }

    @Test func `equal tables are equal whatever the order in which their elements came`() {
        let ascending = table(0..<4_000)
        #expect(ascending == table((0..<4_000).reversed()))
        #expect(ascending == table((0..<4_000).map { $0 * 7 % 4_000 }))
        #expect(ascending != table(0..<3_999))
        var other = ascending
        other.change(key(2_000)) { $0 = [position(1)] }
        #expect(ascending != other)
    }

    @Test func `a table whose elements are all taken out is empty`() {
        var all = table(0..<2_000)
        for number in 0..<2_000 { all.change(key(number)) { $0.removeAll() } }
        #expect(all == ElementTable() && all.keys.isEmpty && all.last == nil)
    }
}
