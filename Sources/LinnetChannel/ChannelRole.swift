/// Which end of a link a channel is, and what it is for.
package enum ChannelRole: Equatable, Sendable {
    /// Opened the link, in this mode.
    case initiator(ChannelMode)
    /// Accepted the link, for one of these modes.
    case responder(accepting: [ChannelMode])
}
