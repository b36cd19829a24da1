import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct FieldContentsTests {
    private let author = Bytes16.zero

    private func slot(_ field: Int) -> FieldSlot {
        FieldSlot(field: UInt32(field), beginning: 1)
    }

    private func register(_ stamp: Int, _ payload: [UInt8]) -> FieldContent {
        .register(
            FieldState(
                generation: 1, stamp: Timestamp(rawValue: Int64(stamp)) ?? .zero,
                position: Position(chain: author, seq: UInt64(stamp), index: 0),
                payload: payload))
    }

    @Test(arguments: 0..<50)
    func `contents are a sorted table of what was put in last`(seed: Int) {
        var seeded = Seeded(seed)
        var contents = FieldContents()
        var table = OrderedTable<FieldSlot, FieldContent>()
        for step in 0..<300 {
            let slot = slot(seeded.below(6))
            switch seeded.below(8) {
            case 0:
                contents[slot] = nil
                table[slot] = nil
            case 1:
                contents[slot] = .writes(CausalContext())
                table[slot] = .writes(CausalContext())
            case 2:
                let (taken, wanted) = (
                    contents.removeValue(forKey: slot), table.removeValue(forKey: slot)
                )
                #expect(taken == wanted)
            default:
                let payload = [UInt8](repeating: UInt8(step % 251), count: seeded.below(40))
                contents[slot] = register(step, payload)
                table[slot] = register(step, payload)
            }
            #expect(contents.count == table.count)
            #expect(contents.keys == table.keys)
            #expect(contents.map(\.value) == table.values)
            #expect(table.allSatisfy { contents[$0.key] == $0.value })
            #expect(contents.areRegisters == table.values.allSatisfy(\.isRegister))
        }
    }

    @Test(arguments: 0..<50)
    func `what changed since an earlier state is found slot by slot`(seed: Int) {
        var seeded = Seeded(seed)
        var (contents, before) = (FieldContents(), FieldContents())
        for step in 0..<200 {
            if seeded.below(20) == 0 { before = contents }
            let slot = slot(seeded.below(8))
            switch seeded.below(6) {
            case 0: contents[slot] = nil
            case 1: contents[slot] = .writes(CausalContext())
            // Often what is there already.
            default: contents[slot] = register(1, [UInt8](repeating: 7, count: seeded.below(3)))
            }
            let slots = OrderedSet(contents.keys + before.keys)
            let wanted = slots.filter { contents[$0] != before[$0] }
            let found = contents.changes(since: before)
            #expect(found.map(\.slot) == wanted)
            #expect(found.map(\.before) == wanted.map { before[$0] })
            #expect(found.map(\.after) == wanted.map { contents[$0] })
            #expect(contents.changes(since: nil).map(\.slot) == contents.keys, "step \(step)")
        }
    }

    @Test func `contents are equal although their bytes lie elsewhere`() {
        var grown = FieldContents()
        for length in [3, 30, 300, 2] {
            grown[slot(1)] = register(1, [UInt8](repeating: 1, count: length))
            grown[slot(2)] = register(1, [UInt8](repeating: 2, count: length))
        }
        var direct = FieldContents()
        direct[slot(2)] = register(1, [2, 2])
        direct[slot(1)] = register(1, [1, 1])
        #expect(grown == direct)
        direct[slot(2)] = register(1, [2, 3])
        #expect(grown != direct)
    }

    @Test func `what shorter payloads leave behind is given up`() {
        var contents = FieldContents()
        for step in 0..<1_000 {
            contents[slot(1)] = register(step, [UInt8](repeating: 1, count: 1 + step % 100))
        }
        let registers: Registers = contents.registers
        #expect(registers.bytes.count < 500 && registers.payloadBytes == 100)
        #expect(contents.footprint < 112 + 500)
        contents[slot(1)] = nil
        #expect(contents.registers.bytes.isEmpty && contents.footprint == 0)
    }

    @Test func `a change wins by generation, then stamp, then position`() throws {
        func change(_ generation: UInt32, _ stamp: Int64, _ index: UInt32) throws -> Precedence {
            Precedence(
                generation: generation, stamp: try #require(Timestamp(rawValue: stamp)),
                position: Position(chain: author, seq: 5, index: index))
        }
        let ascending = [
            try change(1, 4, 9), try change(1, 5, 0), try change(1, 5, 1), try change(3, 0, 0),
        ]
        for (left, weaker) in ascending.enumerated() {
            for (right, other) in ascending.enumerated() {
                var contents = FieldContents()
                let isFirst = contents.merge(weaker, of: slot(1), payload: 0..<1, of: [1])
                #expect(isFirst)
                let wins = contents.merge(other, of: slot(1), payload: 1..<3, of: [1, 2, 3])
                #expect(wins == (right > left))
                guard case .register(let shown)? = contents[slot(1)] else {
                    Issue.record("the slot is empty")
                    continue
                }
                #expect(shown.precedence == (wins ? other : weaker))
                #expect(contents.precedence(of: slot(1)) == shown.precedence)
                #expect(contents.precedence(of: slot(2)) == nil)
                #expect(shown.payload == (wins ? [2, 3] : [1]))
            }
        }
    }
}

extension FieldContent {
    fileprivate var isRegister: Bool { if case .register = self { true } else { false } }
}
