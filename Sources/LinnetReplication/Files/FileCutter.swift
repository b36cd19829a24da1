import LinnetWire

/// Cuts the content of a file, which comes in any pieces, where its table says.
struct FileCutter {
    private let gear: GearTable
    private var bytes: [UInt8] = []
    /// The place up to which the bytes were handed out.
    private var start = 0

    init(_ gear: GearTable) { self.gear = gear }

    /// Takes more of the content.
    mutating func push(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// Returns the next chunk; nil until more bytes tell where it ends.
    mutating func next() -> [UInt8]? {
        guard bytes.count - start >= Limits.chunkMaximumBytes else { return nil }
        return take()
    }

    /// Returns the next chunk of a content that has ended; nil when there is none.
    mutating func rest() -> [UInt8]? { start < bytes.count ? take() : nil }

    private mutating func take() -> [UInt8] {
        let count = gear.cut(bytes, from: start, count: bytes.count - start)
        defer { start += count }
        return Array(bytes[start..<start + count])
    }
}
