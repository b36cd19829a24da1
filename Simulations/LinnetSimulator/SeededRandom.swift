/// The simulator's own source of chance: integers only, the same on every machine for ever.
///
/// xoshiro256** (Blackman and Vigna, ACM TOMS 47(4), 2021), seeded by SplitMix64. Each subsystem
/// and each device draws from a fork of its own, so that one more draw in one shifts no other.
public struct SeededRandom: Equatable, Sendable {
    private let seed: UInt64
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Starts from a seed.
    public init(seed: UInt64) {
        self.seed = seed
        var mixer = seed
        state = (
            Self.split(&mixer), Self.split(&mixer), Self.split(&mixer), Self.split(&mixer)
        )
    }

    /// A generator for a part of the simulation, named by a word and a number; draws nothing here.
    public func fork(_ name: String, _ number: Int = 0) -> SeededRandom {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var mixer = seed ^ hash
        let first = Self.split(&mixer)
        mixer = first ^ UInt64(bitPattern: Int64(number)) &* 0x9e37_79b9_7f4a_7c15
        return SeededRandom(seed: Self.split(&mixer))
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        let result = Self.rotate(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotate(state.3, 45)
        return result
    }

    /// A uniform number from 0 to `bound - 1`; `bound` is positive.
    public mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0, "no number lies below zero")
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A uniform number of a range.
    public mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True in `hits` of `total` cases.
    public mutating func chance(_ hits: Int, in total: Int) -> Bool { below(total) < hits }

    /// One element; the array is not empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// This many random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            let word = next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// True when both would draw the same from here on.
    public static func == (left: SeededRandom, right: SeededRandom) -> Bool {
        left.seed == right.seed && left.state == right.state
    }

    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }

    /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    private static func split(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
