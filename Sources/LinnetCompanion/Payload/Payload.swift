package import LinnetWire

/// The canonical bytes of what the lanes carry, and their limits.
package enum Payload {
    /// Largest message, reply and user info.
    package static let messageBytes = 65_536
    /// Largest application context.
    package static let contextBytes = 262_144
    /// Largest metadata of a file.
    package static let metadataBytes = 12 * 1_024
    /// Largest payload of any lane.
    static let bytesMaximum = contextBytes

    /// The bytes of a dictionary; throws `payloadUnsupportedTypes`, or `payloadTooLarge` above
    /// `maximum` bytes.
    package static func encode(
        _ dictionary: PropertyDictionary, max maximum: Int
    ) throws(CompanionError) -> [UInt8] {
        var writer = CBORWriter()
        try dictionary.write(to: &writer, depth: 0)
        guard writer.bytes.count <= maximum else { throw .payloadTooLarge }
        return writer.bytes
    }

    /// The bytes of a message or reply; throws as `encode` of a dictionary.
    static func encode(_ content: MessageContent) throws(CompanionError) -> [UInt8] {
        switch content {
        case .dictionary(let dictionary): return try encode(dictionary, max: messageBytes)
        case .data(let bytes):
            guard bytes.count <= messageBytes else { throw .payloadTooLarge }
            var writer = CBORWriter(capacity: bytes.count + 5)
            writer.bytes(bytes)
            return writer.bytes
        }
    }

    /// Reads the bytes of one dictionary and nothing else.
    package static func dictionary(_ bytes: [UInt8]) throws(WireError) -> PropertyDictionary {
        guard bytes.count <= bytesMaximum else { throw .tooLarge }
        var reader = CBORReader(bytes, maxItems: bytes.count)
        let dictionary = try PropertyDictionary.read(from: &reader, depth: 0)
        try reader.finish()
        return dictionary
    }

    /// Reads the bytes of one message or reply and nothing else.
    static func content(_ bytes: [UInt8]) throws(WireError) -> MessageContent {
        var reader = CBORReader(bytes, maxItems: bytes.count)
        guard try reader.peek() == .bytes else { return .dictionary(try dictionary(bytes)) }
        let data = try reader.bytes(max: messageBytes)
        try reader.finish()
        return .data(data)
    }
}
