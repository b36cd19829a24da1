extension [UInt8] {
    /// An array of exactly `count` bytes, all of which `body` writes.
    ///
    /// `body` runs for an empty array too: checking the tag of an empty message is its side effect.
    init(count: Int, writing body: (UnsafeMutablePointer<UInt8>) -> Void) {
        self = unsafe Self(unsafeUninitializedCapacity: Swift.max(count, 1)) {
            buffer, initialized in
            guard let base = buffer.baseAddress else {
                preconditionFailure("an array with capacity has an address")
            }
            unsafe body(base)
            initialized = count
        }
    }
}
