/// Sizes that hide how long a plaintext is.
package enum Padding {
    /// The padded size of `count` bytes by Padmé: at most 12 % more, leaking O(log log count) bits.
    ///
    /// Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with
    /// PURBs", PoPETs 2019, Algorithm 1.
    package static func padme(_ count: Int) -> Int {
        precondition(count >= 0 && count <= 1 << 62, "a size to pad is between 0 and 2^62")
        guard count >= 2 else { return count }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let exponentBits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = 1 << (exponent - exponentBits) - 1
        return (count + mask) & ~mask
    }
}
