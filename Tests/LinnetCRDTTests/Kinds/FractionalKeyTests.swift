import LinnetCRDT
import Testing

@Suite struct FractionalKeyTests {
    /// Where the next insertion goes, from the keys so far and the index of the last one.
    enum Pattern: String, CaseIterable, Sendable {
        case atEnd, atStart, afterOne, beforeOne, around, anywhere, runs

        func gap(_ count: Int, last: Int, round: Int, _ seeded: inout Seeded) -> Int {
            switch self {
            case .atEnd: count
            case .atStart: 0
            case .afterOne: last + 1
            case .beforeOne: last
            case .around: round.isMultiple(of: 2) ? last : last + 1
            case .anywhere: seeded.below(count + 1)
            case .runs where round.isMultiple(of: 100): seeded.below(count + 1)
            case .runs: (round / 100).isMultiple(of: 2) ? last : last + 1
            }
        }

        /// Most digits that all insertions may take, without a tiebreak and with one of two bytes.
        func mostDigits(_ tiebreakBytes: Int) -> Int {
            switch self {
            case .atEnd, .atStart, .afterOne, .beforeOne: 8 + tiebreakBytes
            case .around: tiebreakBytes == 0 ? 350 : 1_200
            case .anywhere: tiebreakBytes == 0 ? 12 : 24
            case .runs: tiebreakBytes == 0 ? 36 : 48
            }
        }
    }

    private typealias Between = (FractionalKey?, FractionalKey?, [UInt8]) -> FractionalKey?

    /// The longest key after as many insertions, nil if one did not fall between its neighbours.
    private static func run(_ pattern: Pattern, inserts: Int, tiebreakBytes: Int) -> Int? {
        var seeded = Seeded(tiebreakBytes)
        guard let first = FractionalKey("G"), let second = FractionalKey("H") else { return nil }
        var keys = [first, second]
        var (last, longest) = (0, 1)
        for round in 0..<inserts {
            let gap = pattern.gap(keys.count, last: last, round: round, &seeded)
            let lower = gap > 0 ? keys[gap - 1] : nil
            let upper = gap < keys.count ? keys[gap] : nil
            guard
                let key = FractionalKey.between(
                    lower, upper, tiebreak: seeded.bytes(tiebreakBytes)),
                isBetween(key, lower, upper)
            else { return nil }
            keys.insert(key, at: gap)
            last = gap
            longest = max(longest, key.description.utf8.count)
        }
        return longest
    }

    private static func isBetween(
        _ key: FractionalKey, _ lower: FractionalKey?, _ upper: FractionalKey?
    ) -> Bool {
        let text = key.description
        return lower.map { $0.description.utf8.lexicographicallyPrecedes(text.utf8) } ?? true
            && upper.map { text.utf8.lexicographicallyPrecedes($0.description.utf8) } ?? true
            && FractionalKey(text) == key
    }

    /// Keys with long runs of the lowest and the highest digit, which are the edges.
    private static func random(_ seeded: inout Seeded) -> FractionalKey? {
        var text = ""
        for _ in 0...seeded.below(4) {
            let digit = ["0", "z", "1", "y", "V", "U"][seeded.below(6)]
            text += String(repeating: digit, count: seeded.below(5))
        }
        return FractionalKey(text)
    }

    /// The first pair between which no key, or a wrong one, was made.
    private static func failure(seed: Int, _ between: Between) -> String? {
        var seeded = Seeded(seed)
        for _ in 0..<300 {
            var (lower, upper) = (random(&seeded), random(&seeded))
            if let left = lower, let right = upper {
                if left == right { continue }
                (lower, upper) = (min(left, right), max(left, right))
            }
            let key = between(lower, upper, seeded.bytes(seeded.below(4)))
            guard let key, isBetween(key, lower, upper) else {
                return "\(lower?.description ?? "-") \(upper?.description ?? "-")"
            }
        }
        return nil
    }

    @Test(arguments: 0..<100) func `a new key lies strictly between its neighbours`(seed: Int) {
        #expect(Self.failure(seed: seed, FractionalKey.between) == nil)
    }

    @Test func `a key that only follows its lower neighbour is caught`() {
        let failure = Self.failure(seed: 1) { lower, _, _ in
            FractionalKey((lower?.description ?? "") + "V")
        }
        #expect(failure != nil)
    }

    @Test(arguments: Pattern.allCases, [0, 2])
    func `insertions beside one place, and anywhere, stay short`(
        pattern: Pattern, tiebreakBytes: Int
    ) throws {
        let inserts = pattern == .around ? 2_000 : 10_000
        let longest = try #require(
            Self.run(pattern, inserts: inserts, tiebreakBytes: tiebreakBytes))
        #expect(longest <= pattern.mostDigits(tiebreakBytes))
    }

    @Test func `there is nothing between equal keys, nor between keys the wrong way round`() throws
    {
        let (low, high) = (try #require(FractionalKey("A")), try #require(FractionalKey("B")))
        #expect(FractionalKey.between(low, low, tiebreak: []) == nil)
        #expect(FractionalKey.between(high, low, tiebreak: [1]) == nil)
        #expect(FractionalKey.between(low, high, tiebreak: []) != nil)
    }

    @Test func `two replicas that insert at one place get two keys`() throws {
        let (low, high) = (FractionalKey("A"), FractionalKey("B"))
        let one = try #require(FractionalKey.between(low, high, tiebreak: [1, 2]))
        let other = try #require(FractionalKey.between(low, high, tiebreak: [1, 3]))
        #expect(one != other)
        #expect(FractionalKey.between(min(one, other), max(one, other), tiebreak: []) != nil)
    }

    @Test(arguments: ["", "0", "A0", "a-b", "é", " ", "V\n", String(repeating: "V", count: 4_097)])
    func `anything that is no key is refused`(text: String) {
        #expect(FractionalKey(text) == nil)
    }

    @Test func `where no room is left there is no key`() throws {
        let longest = String(repeating: "z", count: 4_096)
        #expect(FractionalKey.between(FractionalKey(longest), nil, tiebreak: []) == nil)
        let lowest = String(repeating: "0", count: 4_095) + "1"
        #expect(FractionalKey.between(nil, FractionalKey(lowest), tiebreak: []) == nil)
    }

    @Test func `the order of keys is that of their bytes`() throws {
        let texts = ["01", "1", "9z", "A", "Z", "ZZ", "a", "z", "z1", "zz"]
        let keys = try texts.map { try #require(FractionalKey($0)) }
        #expect(keys.reversed().sorted() == keys && keys.map(\.description) == texts)
    }
}
