/// Cuts a byte stream into frames: a big-endian 16-bit length, then that many bytes.
///
/// An illegal length throws as soon as its two bytes are there, so that between calls of
/// `next(_:)` until nil at most one incomplete frame is held.
package struct FrameReader: Equatable, Sendable {
    private var buffer: [UInt8] = []
    private var offset = 0

    /// A reader without bytes.
    package init() {}

    /// Number of bytes that are held and belong to no complete frame yet.
    package var bufferedCount: Int { buffer.count - offset }

    /// Adds received bytes.
    package mutating func append(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Takes exactly `count` unframed bytes, nil if they are not there yet.
    package mutating func take(_ count: Int) -> [UInt8]? {
        guard count >= 0 && bufferedCount >= count else { return nil }
        defer { advance(count) }
        return Array(buffer[offset..<offset + count])
    }

    /// Takes the next frame's payload if its length is legal, nil if it is not complete yet.
    package mutating func next(
        _ legal: ClosedRange<Int> = Limits.transportFrameMinimumBytes...Limits.frameBytes
    ) throws(WireError) -> [UInt8]? {
        guard bufferedCount >= 2 else { return nil }
        let count = Int(buffer[offset]) << 8 | Int(buffer[offset + 1])
        guard legal.contains(count) else { throw .badLength }
        guard bufferedCount >= 2 + count else {
            compact()
            return nil
        }
        defer { advance(2 + count) }
        return Array(buffer[offset + 2..<offset + 2 + count])
    }

    /// Takes the next frame's payload, which must have `count` bytes, nil if it is not complete.
    package mutating func next(exactly count: Int) throws(WireError) -> [UInt8]? {
        try next(count...count)
    }

    private mutating func advance(_ count: Int) {
        offset += count
        if offset == buffer.count { compact() }
    }

    private mutating func compact() {
        buffer.removeFirst(offset)
        offset = 0
    }
}

/// Puts a payload of at most `Limits.frameBytes` bytes into a frame.
package func frame(_ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= Limits.frameBytes, "a frame payload fits its 16-bit length")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + payload.count)
    BigEndian.append(UInt16(payload.count), to: &bytes)
    bytes.append(contentsOf: payload)
    return bytes
}
