/// The ways in which a node takes part in the network.
public struct NodeOptions: Equatable, Sendable {
    /// The ways in which a node uses DNS-SD.
    public enum Discovery: Sendable {
        /// The node finds others and announces itself.
        case on
        /// The node finds others and never announces itself.
        case quiet
        /// The node does neither; it uses only peers and addresses that are named.
        case off
    }

    /// Every address of this machine, with a port that the system chooses.
    public static let anyAddress = "[::]:0"
    /// This machine only, without discovery: for tests and examples.
    public static let loopback = NodeOptions(listen: "127.0.0.1:0", discovery: .off)

    /// The numeric `address:port` at which to listen. Port 0 lets the system choose; with nil the
    /// node does not listen.
    public var listen: String?
    /// The peers to keep a connection with, as `host:port`.
    public var peers: [String]
    /// The use of DNS-SD.
    public var discovery: Discovery

    /// The directory that a phone and its watch share in place of the operating system's service
    /// between them, as an absolute path; nil when there is none. A home of the kind `watch` takes
    /// the watch's end of it, any other the phone's.
    public var companionLink: String?
    /// True when sockets are used; without them the node neither listens nor dials nor announces
    /// itself, as on a watch.
    public var usesNetwork: Bool

    /// True when all chosen scopes are held, even where the kind of device holds only the recent
    /// part of those that are divided by time.
    public var holdsEverything = false
    /// The attached files that the node fetches by itself while it runs.
    public var attachments = AttachmentPolicy.onDemand

    /// Joins the options.
    public init(
        listen: String? = anyAddress, peers: [String] = [], discovery: Discovery = .on,
        companionLink: String? = nil, usesNetwork: Bool = true
    ) {
        self.listen = usesNetwork ? listen : nil
        self.peers = usesNetwork ? peers : []
        self.discovery = usesNetwork ? discovery : .off
        self.companionLink = companionLink
        self.usesNetwork = usesNetwork
    }

    /// Returns the options of a node without sockets: everything goes through the directory that
    /// phone and watch share.
    public static func companionLink(_ directory: String) -> NodeOptions {
        NodeOptions(companionLink: directory, usesNetwork: false)
    }
}
