/// The purpose for which a link is opened; it decides where the pre-shared key comes from.
package enum ChannelMode: UInt8, CaseIterable, Sendable {
    /// Members of a group: the key of an epoch.
    case member = 0
    /// Pairing by code: the result of a PAKE.
    case pairCode = 1
    /// Pairing by ticket: the ticket's secret.
    case pairTicket = 2
}
