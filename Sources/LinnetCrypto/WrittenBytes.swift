extension [UInt8] {
    /// Up to so many bytes are written beside the array and copied: an array of bytes that are not
    /// there yet takes longer to make than that.
    private static let fewBytes = 256

    /// An array of exactly `count` bytes, all of which `body` writes.
    ///
    /// `body` runs for an empty array too: checking the tag of an empty message is its side effect.
    init(count: Int, writing body: (UnsafeMutablePointer<UInt8>) -> Void) {
        self =
            count <= Self.fewBytes
            ? unsafe Self(few: count, writing: body) : unsafe Self(many: count, writing: body)
    }

    private init(few count: Int, writing body: (UnsafeMutablePointer<UInt8>) -> Void) {
        self = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: Swift.max(count, 1)
        ) { buffer in
            guard let base = buffer.baseAddress else {
                preconditionFailure("room for bytes has an address")
            }
            unsafe body(base)
            return unsafe Self(UnsafeBufferPointer(start: base, count: count))
        }
    }

    private init(many count: Int, writing body: (UnsafeMutablePointer<UInt8>) -> Void) {
        self = unsafe Self(unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else {
                preconditionFailure("an array with capacity has an address")
            }
            unsafe body(base)
            initialized = count
        }
    }
}
