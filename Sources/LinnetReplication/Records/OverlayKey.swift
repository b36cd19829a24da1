import LinnetCRDT

/// The key of a record in fixed width: of its identifier the length and the first sixteen bytes.
struct OverlayKey: Equatable {
    let collection: UInt32
    let length: UInt32
    let first: UInt64
    let second: UInt64
    let hash: UInt64

    /// Compares the hash first, since two keys that differ nearly always differ in it.
    @inline(__always)
    static func == (left: OverlayKey, right: OverlayKey) -> Bool {
        left.hash == right.hash && left.first == right.first && left.second == right.second
            && left.length == right.length && left.collection == right.collection
    }

    /// True when nothing of the identifier is left out.
    var isWhole: Bool { length <= 16 }

    init(_ key: RecordKey, seed: UInt64) {
        let bytes = key.record.utf8
        collection = key.collection
        length = UInt32(bytes.count)
        var words = (UInt64(0), UInt64(0))
        for index in 0..<min(bytes.count, 8) {
            words.0 |= UInt64(bytes[index]) << UInt64(56 - 8 * index)
        }
        for index in 8..<max(8, min(bytes.count, 16)) {
            words.1 |= UInt64(bytes[index]) << UInt64(120 - 8 * index)
        }
        (first, second) = words
        var mixed = Self.mix(words.0 ^ seed, words.1 ^ UInt64(collection))
        var rest: UInt64 = 0
        for index in 16..<max(16, bytes.count) {
            rest = rest << 8 | UInt64(bytes[index])
            if index % 8 == 7 || index == bytes.count - 1 {
                mixed = Self.mix(mixed ^ rest, seed)
                rest = 0
            }
        }
        hash = mixed
    }

    /// Returns a 64 by 64 bit product folded into 64 bits, as wyhash has it.
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(
            by: right ^ 0xe703_7ed1_a0b4_28db)
        return product.high ^ product.low
    }
}
