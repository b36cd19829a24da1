import LinnetWire

/// The ways that payloads take, each in its own order.
package enum Lane: UInt8, CaseIterable, Comparable, Sendable {
    /// Live messages.
    case message
    /// Answers to live messages, under the numbers of the messages.
    case reply
    /// The newest application context.
    case context
    /// User infos, those for the watch face included.
    case userInfo
    /// Files.
    case file

    /// Order of the codes.
    package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }

    static func read(from reader: inout CBORReader) throws(WireError) -> Lane {
        let code = try reader.unsigned(max: UInt64(UInt8.max))
        guard let lane = Lane(rawValue: UInt8(truncatingIfNeeded: code)) else {
            throw .unexpectedType
        }
        return lane
    }

    /// Most bytes of one payload, `files` for files.
    func bytesMaximum(files: UInt64) -> UInt64 {
        switch self {
        case .message, .reply: UInt64(Payload.messageBytes) + 5
        case .userInfo: UInt64(Payload.messageBytes)
        case .context: UInt64(Payload.contextBytes)
        case .file: files
        }
    }
}
