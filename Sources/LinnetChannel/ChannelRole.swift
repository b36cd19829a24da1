/// The end of a link at which a channel is, and the purpose of the link.
package enum ChannelRole: Equatable, Sendable {
    /// Opened the link, in this mode.
    case initiator(ChannelMode)
    /// Accepted the link, for one of these modes.
    case responder(accepting: [ChannelMode])
}
