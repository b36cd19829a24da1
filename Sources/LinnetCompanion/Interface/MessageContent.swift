/// The payload of a message or a reply.
package enum MessageContent: Equatable, Sendable {
    /// `sendMessage`'s dictionary.
    case dictionary(PropertyDictionary)
    /// `sendMessageData`'s bytes.
    case data([UInt8])
}
