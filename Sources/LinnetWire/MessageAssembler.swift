/// Joins the plaintexts of transport frames into messages.
///
/// A plaintext is a flags byte, the message's type byte, and a part of its body. Bit 0 of flags:
/// more fragments follow, of the same type. Bit 1: the length of the body stands before it, and
/// another message follows in this plaintext. At most one message is in the making.
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

    /// Adds one plaintext and returns the messages that it completes, in order.
    package mutating func append(_ plaintext: [UInt8]) throws(WireError) -> [Message] {
        var messages: [Message] = []
        var rest = plaintext[...]
        while let joined = try takeJoined(&rest) { messages.append(joined) }
        guard let (flags, fragmentType) = rest.head, rest.count >= 2 else { throw .truncated }
        guard flags & ~1 == 0, messages.isEmpty || flags == 0 else { throw .nonCanonical }
        if let type, type != fragmentType { throw .unexpectedType }
        fragmentCount += 1
        guard
            fragmentCount <= Limits.fragmentsPerMessage,
            body.count + rest.count - 2 <= Limits.messageBytes
        else { throw .tooLarge }
        body.append(contentsOf: rest.dropFirst(2))
        if flags & 1 == 1 {
            type = fragmentType
            return messages
        }
        messages.append(Message(type: fragmentType, body: body))
        self = MessageAssembler()
        return messages
    }

    /// Takes a message that another one follows; nil when the last one is reached.
    private func takeJoined(
        _ rest: inout ArraySlice<UInt8>
    ) throws(WireError) -> Message? {
        guard let (flags, messageType) = rest.head, flags & 2 == 2 else { return nil }
        guard flags == 2 else { throw .nonCanonical }
        guard type == nil else { throw .unexpectedType }
        let length = rest.dropFirst(2)
        guard let low = length.first else { throw .truncated }
        var count = Int(low & 0x7f)
        var head = 3
        if low >= 0x80 {
            guard let high = length.dropFirst().first else { throw .truncated }
            guard (1..<0x80).contains(high) else { throw .nonCanonical }
            count |= Int(high) << 7
            head = 4
        }
        guard rest.count - head >= count else { throw .truncated }
        let message = Message(type: messageType, body: Array(rest.dropFirst(head).prefix(count)))
        rest = rest.dropFirst(head + count)
        return message
    }
}

extension ArraySlice<UInt8> {
    /// The first two bytes.
    fileprivate var head: (UInt8, UInt8)? {
        guard let first, let second = dropFirst().first else { return nil }
        return (first, second)
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
