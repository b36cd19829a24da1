/// The frames between a phone and its watch: a length of 4 bytes, most significant first, and that
/// many bytes, together at most 64 KiB.
package enum CompanionFrame {
    /// The most bytes of a frame, its length included.
    package static let byteLimit = 64 << 10
    /// The bytes of the length.
    package static let headBytes = 4
    /// The frame that says that a link was taken up: it has no content and comes once, before all
    /// others.
    package static let taken: [UInt8] = [0, 0, 0, 0]

    /// Returns a frame around at most ``byteLimit`` less ``headBytes`` bytes.
    package static func encoded(_ content: [UInt8]) -> [UInt8] {
        let count = UInt32(content.count)
        let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
        return head + content
    }
}

/// Finds the frames in bytes that come cut anywhere, from whoever can write to the link.
///
/// It never holds more than the bytes that came last and less than one frame of earlier ones.
package struct CompanionFrameReader: Equatable, Sendable {
    private var buffer: [UInt8] = []

    /// Begins with nothing read.
    package init() {}

    /// The number of bytes that are kept until the rest of their frame comes.
    package var waitingBytes: Int { buffer.count }

    /// Returns the contents of the frames that are whole now; nil when a length is above the limit,
    /// after which no bytes of this link can be trusted to be a frame.
    package mutating func read(_ bytes: [UInt8]) -> [[UInt8]]? {
        buffer += bytes
        var frames: [[UInt8]] = []
        var start = 0
        while buffer.count - start >= CompanionFrame.headBytes {
            let count = buffer[start..<start + CompanionFrame.headBytes]
                .reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard count <= UInt32(CompanionFrame.byteLimit - CompanionFrame.headBytes) else {
                buffer = []
                return nil
            }
            let end = start + CompanionFrame.headBytes + Int(count)
            guard end <= buffer.count else { break }
            frames.append(Array(buffer[(start + CompanionFrame.headBytes)..<end]))
            start = end
        }
        buffer.removeFirst(start)
        return frames
    }
}

/// The bytes that wait to be cut into frames, in order.
///
/// The bytes of one turn leave in as few frames as possible, because each frame is a transfer for
/// the radio of a watch.
package struct CompanionFrameQueue: Equatable, Sendable {
    private var chunks: [[UInt8]] = []
    private var next = 0
    private var start = 0
    /// The number of bytes that wait.
    package private(set) var byteCount = 0

    /// Begins with nothing that waits.
    package init() {}

    /// Adds bytes at the end.
    package mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        chunks.append(bytes)
        byteCount += bytes.count
    }

    /// Takes the next frame; nil when nothing waits.
    package mutating func takeFrame() -> [UInt8]? {
        guard byteCount > 0 else { return nil }
        let limit = CompanionFrame.byteLimit - CompanionFrame.headBytes
        var content: [UInt8] = []
        while content.count < limit, next < chunks.count {
            let end = min(chunks[next].count, start + limit - content.count)
            content += chunks[next][start..<end]
            start = end
            if start == chunks[next].count {
                chunks[next] = []
                next += 1
                start = 0
            }
        }
        if next == chunks.count || next > 64 {
            chunks.removeFirst(next)
            next = 0
        }
        byteCount -= content.count
        return CompanionFrame.encoded(content)
    }
}
