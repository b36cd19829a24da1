/// Joins the plaintexts of transport frames into messages.
///
/// A plaintext is a flags byte (bit 0: more fragments follow; the others are zero), the message's
/// type byte, and a part of its body. All fragments of a message carry the same type, and at
/// most one message is in the making.
package struct MessageAssembler: Equatable, Sendable {
    /// A whole message, its type not yet judged.
    package struct Message: Equatable, Sendable {
        /// The type byte.
        package let type: UInt8
        /// Everything after the type.
        package let body: [UInt8]
    }

    private var type: UInt8?
    private var body: [UInt8] = []
    private var fragmentCount = 0

    /// An assembler without fragments.
    package init() {}

    /// Adds one plaintext and returns the message that it completes.
    package mutating func append(_ plaintext: [UInt8]) throws(WireError) -> Message? {
        guard plaintext.count >= 2 else { throw .truncated }
        let (flags, fragmentType) = (plaintext[0], plaintext[1])
        guard flags & ~1 == 0 else { throw .nonCanonical }
        if let type, type != fragmentType { throw .unexpectedType }
        fragmentCount += 1
        guard
            fragmentCount <= Limits.fragmentsPerMessage,
            body.count + plaintext.count - 2 <= Limits.messageBytes
        else { throw .tooLarge }
        body.append(contentsOf: plaintext[2...])
        if flags & 1 == 1 {
            type = fragmentType
            return nil
        }
        defer { self = MessageAssembler() }
        return Message(type: fragmentType, body: body)
    }
}

/// Splits a message into the plaintexts of its frames; throws `tooLarge` above
/// `Limits.messageBytes`.
package func fragments(type: MessageType, body: [UInt8]) throws(WireError) -> [[UInt8]] {
    guard body.count <= Limits.messageBytes else { throw .tooLarge }
    let capacity = Limits.fragmentBytes - 2
    var plaintexts: [[UInt8]] = []
    var start = 0
    repeat {
        let end = min(start + capacity, body.count)
        let flags: UInt8 = end < body.count ? 1 : 0
        plaintexts.append([flags, type.rawValue] + body[start..<end])
        start = end
    } while start < body.count
    return plaintexts
}
