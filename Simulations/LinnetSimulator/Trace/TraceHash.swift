/// A running 64-bit fingerprint of everything that happened; not a cryptographic one.
struct TraceHash: Equatable {
    private(set) var value: UInt64 = 0x243f_6a88_85a3_08d3

    mutating func add(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9fb2_1c65_1e98_df25)
        value = (product.high ^ product.low) &+ 0x9e37_79b9_7f4a_7c15
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ bytes: [UInt8]) {
        add(UInt64(bytes.count))
        unsafe bytes.withUnsafeBytes { raw in
            let words = raw.count / 8
            for index in 0..<words {
                add(unsafe raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            var rest: UInt64 = 0
            for index in words * 8..<raw.count { rest = rest << 8 | UInt64(unsafe raw[index]) }
            add(rest)
        }
    }

    /// The fingerprint of some bytes alone.
    static func of(_ bytes: [UInt8]) -> UInt64 {
        var hash = TraceHash()
        hash.add(bytes)
        return hash.value
    }
}
