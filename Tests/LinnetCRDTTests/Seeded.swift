/// A small integer generator (SplitMix64), so that a seed names the same run for ever.
struct Seeded {
    private var state: UInt64

    init(_ seed: Int) {
        state = UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15
    }

    mutating func word() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int {
        Int(word() % UInt64(bound))
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: word()) }
    }

    /// Numbers of every size, the edges of the encodings among them.
    mutating func number() -> UInt64 {
        let edges: [UInt64] = [
            0, 23, 24, 255, 256, 65_535, 65_536, 0xffff_ffff, 0x1_0000_0000,
            UInt64(Int64.max), UInt64(Int64.max) + 1, .max,
        ]
        return below(3) == 0 ? edges[below(edges.count)] : word() >> UInt64(below(64))
    }

    /// Changes, inserts or removes a few bytes.
    mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
        var mutated = bytes
        for _ in 0...below(3) {
            let position = below(mutated.count + 1)
            switch below(4) {
            case 0 where position < mutated.count: mutated[position] ^= 1 << UInt8(below(8))
            case 1 where position < mutated.count: mutated.remove(at: position)
            case 2: mutated.insert(UInt8(truncatingIfNeeded: word()), at: position)
            default: mutated = Array(mutated.prefix(position)) + mutated.suffix(below(4))
            }
        }
        return mutated
    }
}
