import LinnetCrypto

/// The desk of the connections: those that exist, those that come in, and those that this node
/// finds and dials.
struct ConnectionDesk: ~Copyable {
    /// The options with which the node takes part; nil until it is started.
    var options: NodeOptions?
    var links = LinkTable()
    var entrance = Entrance()
    var dialling: DialDesk
    /// DNS-SD; nil while it is not used.
    var discovery: DiscoveryDesk?
    /// The directory that is shared with the phone or the watch; nil without one.
    var companion: CompanionDesk?
    var sockets = SocketCount()

    init(_ entropy: consuming Entropy) { dialling = DialDesk(entropy) }

    /// True when a link, in the shared directory or elsewhere, connects the phone or the watch.
    var isCompanionConnected: Bool {
        links.all.contains(where: \.isCompanion)
            || companion?.device.map(links.devices.contains) ?? false
    }

    /// Leaves the shared directory; its links end once they have carried what was sent.
    mutating func closeCompanion() {
        companion?.port.close()
        companion = nil
    }
}
