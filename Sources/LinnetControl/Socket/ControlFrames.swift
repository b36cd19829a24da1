import LinnetCrypto
import LinnetWire

/// Cuts a stream into control messages: a length of four bytes, big endian, before each.
struct ControlFrames {
    /// The most bytes of one message: several of the largest records, or an import of a hundred
    /// thousand lines.
    static let messageLimitBytes = 256 << 20
    /// The bytes that may be read and used before the following ones are moved to the front.
    private static let movedBytes = 8 << 20

    private var buffer: [UInt8] = []
    private var start = 0

    /// Returns a message with its length before it.
    static func frame(_ message: [UInt8]) -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: message.count)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
        return head + message
    }

    mutating func append(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next whole message; nil when it has not arrived yet.
    mutating func next() throws(WireError) -> [UInt8]? {
        guard buffer.count - start >= 4 else { return nil }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.messageLimitBytes else { throw .tooLarge }
        guard buffer.count - start - 4 >= length else { return nil }
        let message = Array(buffer[start + 4..<start + 4 + length])
        start += 4 + length
        if start == buffer.count {
            // A message may have carried a passphrase.
            wipe(&buffer)
            buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
            start = 0
        } else if start >= Self.movedBytes {
            buffer.removeSubrange(..<start)
            start = 0
        }
        return message
    }
}
