import LinnetCRDT
import LinnetWire
import Testing

/// A box of pills that two phones count: keys are occurrences of a dose.
@Suite struct TallyScenarioTests {
    /// One phone with what it has seen of the box.
    private struct Phone {
        let replica: Int
        var box = Tally()
        private var seq = 0

        init(_ replica: Int) {
            self.replica = replica
        }

        private mutating func next() -> Position {
            seq += 1
            return CausalHistory<Int>.position(replica, seq, 0)
        }

        mutating func log(_ key: String, _ amount: Int64, at time: Int64) {
            let key = Array(key.utf8)
            _ = box.setEntry(
                key: key, amount: Decimal64(mantissa: amount, exponent: 0) ?? .zero,
                replacing: box.positions(of: key), stamp: Timestamp(wallMilliseconds: time),
                at: next())
        }

        mutating func count(_ text: String, at time: Int64) {
            _ = box.setBase(
                Decimal64(parsing: text) ?? .zero, context: box.context,
                stamp: Timestamp(wallMilliseconds: time), at: next())
        }
    }

    private static func meet(_ left: inout Phone, _ right: inout Phone) {
        left.box.merge(right.box)
        right.box = left.box
    }

    /// Two phones that both know of a box of 10.
    private static var phones: (Phone, Phone) {
        var (one, other) = (Phone(0), Phone(1))
        one.count("10", at: 1)
        meet(&one, &other)
        return (one, other)
    }

    private static func total(_ phone: Phone) -> String { phone.box.total.description }

    @Test func `two doses on two phones both count`() {
        var (one, other) = Self.phones
        one.log("morning", -1, at: 2)
        other.log("evening", -2, at: 3)
        Self.meet(&one, &other)
        #expect(Self.total(one) == "7")
    }

    @Test func `the same occurrence logged on both phones counts once`() {
        var (one, other) = Self.phones
        one.log("morning", -1, at: 2)
        other.log("morning", -1, at: 3)
        Self.meet(&one, &other)
        #expect(Self.total(one) == "9")
        #expect(one.box.keys.first { $0.key == Array("morning".utf8) }?.entries.count == 2)
    }

    @Test func `undoing one seen witness leaves an unseen second one standing`() {
        var (one, other) = Self.phones
        one.log("morning", -1, at: 2)
        other.log("morning", -1, at: 3)
        one.log("morning", 0, at: 4)
        #expect(Self.total(one) == "10" && one.box.amount(of: Array("morning".utf8)) == .zero)
        Self.meet(&one, &other)
        #expect(Self.total(one) == "9")
        one.log("morning", 0, at: 1)
        #expect(Self.total(one) == "10")
    }

    @Test func `thirty counted while a dose is logged elsewhere unseen gives 29`() {
        var (one, other) = Self.phones
        one.log("yesterday", -1, at: 2)
        one.count("30", at: 3)
        other.log("morning", -1, at: 4)
        #expect(Self.total(one) == "30")
        Self.meet(&one, &other)
        #expect(Self.total(one) == "29")
    }

    @Test func `of two recounts the later wins, and doses it had not seen still apply`() {
        var (one, other) = Self.phones
        one.count("30", at: 5)
        one.log("morning", -1, at: 6)
        other.log("noon", -2, at: 7)
        other.count("28", at: 8)
        Self.meet(&one, &other)
        #expect(Self.total(one) == "27")
        #expect(one.box.isCovered(Array("noon".utf8)))
        #expect(!one.box.isCovered(Array("morning".utf8)))
    }

    @Test func `a recount reads back exactly what was typed`() {
        var (one, other) = Self.phones
        for day in 0..<20 {
            one.log("day \(day)", -1, at: Int64(day))
            other.log("day \(day)", -1, at: Int64(day))
            if day.isMultiple(of: 3) { Self.meet(&one, &other) }
        }
        let unseen = other.box.keys.filter { !one.box.context.covers($0.entries[0].position) }
        one.count("17.5", at: 100)
        #expect(Self.total(one) == "17.5" && one.box.keys.allSatisfy(\.isCovered))
        other.log("last day", -1, at: 99)
        Self.meet(&one, &other)
        #expect(Self.total(one) == "16.5" && unseen.count == 1)
    }

    @Test func `a key that was replaced after the count stays counted`() {
        var (one, other) = Self.phones
        one.log("morning", -1, at: 2)
        Self.meet(&one, &other)
        one.count("9", at: 3)
        other.log("morning", -2, at: 4)
        Self.meet(&one, &other)
        #expect(Self.total(one) == "9" && one.box.isCovered(Array("morning".utf8)))
        #expect(one.box.amount(of: Array("morning".utf8)).description == "-2")
    }

    @Test func `many keys are told in the order of their bytes`() {
        var phone = Phone(0)
        for key in ["b", "a", "ab", "B"] { phone.log(key, 1, at: 1) }
        #expect(phone.box.keys.map(\.key) == ["B", "a", "ab", "b"].map { Array($0.utf8) })
        #expect(phone.box.total.description == "4" && phone.box.base == nil)
        #expect(!phone.box.isCovered([9]) && phone.box.positions(of: [9]).isEmpty)
    }
}

/// Rows that no tally writes.
@Suite struct TallyRowTests {
    private static func read(_ hex: String) throws(WireError) -> Tally {
        var reader = CBORReader(Hex.decode(hex) ?? [])
        return try Tally(from: &reader, chains: [Bytes16(repeating: 1), Bytes16(repeating: 2)])
    }

    /// A row of one key, its context being chain 0 up to batch 3.
    private static func row(firsts: String, entries: String, base: String = "f6") -> String {
        "84" + "81" + "83000300" + "80" + base + "81" + "83" + "4161" + firsts + entries
    }

    @Test func `a row of one entry reads back`() throws {
        let entry = "84" + "83000200" + "05" + "20" + "00"
        let tally = try Self.read(Self.row(firsts: "8183000100", entries: "81" + entry))
        #expect(tally.total.description == "-1" && tally.keys.map(\.key) == [[0x61]])
    }

    @Test func `parts that do not fit each other are refused`() {
        let entry = { (place: String) in "84" + place + "05" + "20" + "00" }
        let base = { (place: String) in "85" + "01" + "00" + "05" + place + "80" }
        let first = "8183000200"
        let rows = [
            Self.row(firsts: "80", entries: "80"),
            Self.row(firsts: "8183000400", entries: "80"),
            Self.row(firsts: "828300010083000200", entries: "80"),
            Self.row(firsts: first, entries: "81" + entry("83000400")),
            Self.row(firsts: first, entries: "81" + entry("83000100")),
            Self.row(firsts: first, entries: "82" + entry("83000300") + entry("83000200")),
            Self.row(firsts: first, entries: "81" + "84" + "83000200" + "05" + "0a" + "00"),
            Self.row(firsts: first, entries: "80", base: base("83000400")),
        ]
        for row in rows {
            #expect(throws: WireError.nonCanonical) { try Self.read(row) }
        }
        let wide = "81" + "84" + "83000200" + "05" + "01" + "1880"
        #expect(throws: WireError.tooLarge) {
            try Self.read(Self.row(firsts: first, entries: wide))
        }
    }
}
