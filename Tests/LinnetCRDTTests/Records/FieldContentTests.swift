import LinnetCRDT
import LinnetWire
import Testing

/// What a reader of a field is shown.
@Suite struct FieldContentTests {
    private func content(_ field: UInt32, _ changes: [(Int, Change)]) throws -> FieldContent {
        var desk = try RecordDesk()
        for (device, change) in changes { try desk.write(device, change) }
        desk.meet()
        return try #require(desk.states[0].content(of: field))
    }

    private func shown(_ field: UInt32, _ changes: [(Int, Change)]) throws -> [Value]? {
        let declared = try #require(RecordDesk.records().field(id: field))
        return try content(field, changes).values(of: declared)
    }

    @Test func `each kind is shown as the values that people know`() throws {
        let half = try #require(Decimal64(parsing: "0.5"))
        #expect(try shown(1, [(0, .set(FieldWrite(1, .text("a"))))]) == [.text("a")])
        #expect(
            try shown(2, [(0, .set(FieldWrite(2, members: [(1, .text("mg"))])))])
                == [.null, .text("mg")])
        #expect(try shown(3, [(0, .set(FieldWrite(3, .text("a"))))]) == [.text("a")])
        #expect(try shown(3, [(0, .set(FieldWrite(3, .null)))]) == [.null])
        #expect(
            try shown(3, [(0, .set(FieldWrite(3, .text("a")))), (1, .set(FieldWrite(3, .null)))])
                == [.list([.null, .text("a")])])
        #expect(try shown(4, [(0, .recount(field: 4, .int(7)))]) == [.int(7)])
        #expect(
            try shown(8, [(0, .count(field: 8, key: "k", amount: .decimal(half)))])
                == [.decimal(half)])
        #expect(
            try shown(5, [(0, .add(field: 5, .text("b"))), (1, .add(field: 5, .text("a")))])
                == [.list([.text("a"), .text("b")])])
        #expect(try shown(6, [(0, .rewrite(field: 6, "é"))]) == [.text("é")])
        #expect(try shown(7, [(0, .set(FieldWrite(7, .text("V"))))]) == [.text("V")])
    }

    @Test func `a sum of whole numbers that is too large is shown as a decimal`() throws {
        let most = Change.count(field: 4, key: "a", amount: .int(.max))
        let more = Change.count(field: 4, key: "b", amount: .int(.max))
        guard case .decimal? = try shown(4, [(0, most), (0, more)])?.first else {
            Issue.record("the sum does not fit an integer")
            return
        }
    }

    @Test func `equal values have equal bytes however they came about`() throws {
        let orders: [[(Int, Change)]] = [
            [(0, .set(FieldWrite(3, .text("a")))), (1, .set(FieldWrite(3, .text("b"))))],
            [(1, .set(FieldWrite(3, .text("b")))), (0, .set(FieldWrite(3, .text("a"))))],
        ]
        let bytes = try orders.map { try content(3, $0).visibleBytes }
        #expect(bytes[0] == bytes[1] && Hex.encode(bytes[0]) == "8261616162")
        let sums = try [
            content(4, [(0, .recount(field: 4, .int(3)))]),
            content(4, [(1, .count(field: 4, key: "x", amount: .int(3)))]),
        ]
        #expect(sums.map(\.visibleBytes) == [[3], [3]])
        #expect(
            try content(5, [(0, .add(field: 5, .text("a")))]).visibleBytes == [0x81, 0x61, 0x61])
        #expect(try content(6, [(0, .rewrite(field: 6, "a"))]).visibleBytes == [0x61, 0x61])
        #expect(
            try content(1, [(0, .set(FieldWrite(1, .text("a"))))]).visibleBytes == [0x61, 0x61])
    }

    @Test func `what belongs to a record as a whole is no field's value`() throws {
        var desk = try RecordDesk(RecordDesk.log)
        try desk.write(0, .insert([FieldValues(1, [.text("a")])]))
        let log = try #require(desk.states[0].content(of: 0))
        let field = try #require(RecordDesk.log.field(id: 1))
        #expect(log.values(of: field) == nil && !log.isConflicting)
        #expect(Hex.encode(log.visibleBytes) == "818182016161")
        #expect(log.writes.isEmpty)
        let writes = FieldContent.writes(CausalContext())
        #expect(writes.values(of: field) == nil && writes.visibleBytes == [0xf6])
    }

    @Test func `contents of one field join in both directions to the same`() throws {
        for seed in 0..<40 {
            let history = try RecordHistory.random(seed: seed, policy: .deleteWins, steps: 50)
            let state = try history.fold(history.ops)
            for (slot, content) in state.contents {
                for (other, later) in state.contents
                where other.field == slot.field && slot.beginning < other.beginning {
                    var (left, right) = (content, later)
                    left.adopt(later)
                    right.adopt(content)
                    #expect(left == right)
                }
            }
        }
    }
}
