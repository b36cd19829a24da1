package import LinnetWire

/// The form in which requests and answers travel: canonical CBOR arrays of a version, a number and
/// what the number stands for.
package enum ControlCoding {
    /// The version, which grows with every change of a request or answer.
    static let version: UInt64 = 11
    /// The most items of one message; an import of a hundred thousand records has fewer.
    static let itemLimit = 1 << 24

    static func encoded(_ number: UInt64, _ content: some ControlCodable) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.unsigned(version)
        writer.unsigned(number)
        content.write(to: &writer)
        return writer.bytes
    }

    /// Hands the number and what follows to `body`, which has to take all of it.
    package static func decode<Message>(
        _ bytes: [UInt8],
        _ body: (UInt64, inout CBORReader) throws(WireError) -> Message
    ) throws(WireError) -> Message {
        var reader = CBORReader(bytes, maxItems: itemLimit)
        try reader.array(exactly: 3)
        guard try reader.unsigned() == version else { throw .unexpectedType }
        let message = try body(try reader.unsigned(), &reader)
        try reader.finish()
        return message
    }
}
