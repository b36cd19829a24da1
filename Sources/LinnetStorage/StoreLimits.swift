/// The bounds of the numbers in a store's rows: chain and sequence share one 63-bit key.
package enum StoreLimits {
    /// The largest number of a chain, 2^23 - 1; the smallest is 1.
    package static let largestChain: Int64 = 1 << 23 - 1
    /// The largest sequence, 2^40 - 1.
    package static let largestSequence: UInt64 = 1 << 40 - 1
}
