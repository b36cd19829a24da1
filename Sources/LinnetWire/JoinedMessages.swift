/// Messages that leave in one frame, in order.
package struct JoinedMessages: Sendable {
    /// The largest body that another message may follow: its length takes two bytes at most.
    package static let bodyBytes = (1 << 14) - 1

    private var plaintext: [UInt8] = []
    private var last: (type: MessageType, body: [UInt8])?

    /// No message yet.
    package init() {}

    /// Adds a message; false when the frame has no room for it, or when it needs frames of its own.
    package mutating func add(_ type: MessageType, _ body: [UInt8]) -> Bool {
        let before = last.map { plaintext.count + $0.body.count + 4 } ?? 0
        guard body.count <= Self.bodyBytes, before + body.count + 2 <= Limits.fragmentBytes else {
            return false
        }
        if let last {
            plaintext += [2, last.type.rawValue]
            let count = last.body.count
            if count >= 0x80 { plaintext.append(UInt8(count & 0x7f | 0x80)) }
            plaintext.append(UInt8(count >= 0x80 ? count >> 7 : count))
            plaintext += last.body
        }
        last = (type, body)
        return true
    }

    /// The plaintext of the frame, which begins anew; nil without a message.
    package mutating func take() -> [UInt8]? {
        guard let last else { return nil }
        let taken = plaintext + [0, last.type.rawValue] + last.body
        self = JoinedMessages()
        return taken
    }
}
