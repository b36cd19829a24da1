import LinnetCrypto
import LinnetWire

/// The table of a file by which its content is cut: 256 numbers that follow from the file's key, so
/// that nobody without the key knows where chunks end.
struct GearTable: Sendable {
    /// The number of each byte.
    let numbers: [UInt64]

    /// Derives the table from the 32 bytes of a file's key.
    init(fileKey: [UInt8]) {
        let key = SecretBytes(copying: fileKey)
        numbers = (UInt8.min...UInt8.max).map { byte in
            Hash.keyed(by: key, .gear, [byte]).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Returns the length of the chunk with which `count` bytes begin that follow `start`.
    ///
    /// FastCDC with normalised chunking of level 2 (Xia et al., *The Design of Fast Content-Defined
    /// Chunking for Data Deduplication Based Storage Systems*, 2020). The masks are the highest
    /// bits, which depend on the most bytes.
    func cut(_ bytes: [UInt8], from start: Int, count: Int) -> Int {
        guard count > Limits.chunkMinimumBytes else { return count }
        let most = min(count, Limits.chunkMaximumBytes)
        let normal = min(most, Limits.chunkNormalBytes)
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe numbers.withUnsafeBufferPointer { numbers in
                var print: UInt64 = 0
                var index = Limits.chunkMinimumBytes
                while index < normal {
                    print = unsafe print << 1 &+ numbers[Int(bytes[start + index])]
                    index += 1
                    if print >> (64 - Self.hardBits) == 0 { return index }
                }
                while index < most {
                    print = unsafe print << 1 &+ numbers[Int(bytes[start + index])]
                    index += 1
                    if print >> (64 - Self.easyBits) == 0 { return index }
                }
                return most
            }
        }
    }

    /// The zero bits at which a chunk ends before and after the normal size of 2^18 bytes.
    private static let (hardBits, easyBits) = (UInt64(20), UInt64(16))
}
