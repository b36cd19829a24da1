/// How a node takes part in the network.
public struct NodeOptions: Equatable, Sendable {
    /// Whether and how the node uses DNS-SD.
    public enum Discovery: Sendable {
        /// Finds others and is found.
        case on
        /// Finds others and never announces itself.
        case quiet
        /// Neither; only peers and addresses that are named are used.
        case off
    }

    /// Every address of this machine, with a port that the system chooses.
    public static let anyAddress = "[::]:0"
    /// This machine only, without discovery: for tests and examples.
    public static let loopback = NodeOptions(listen: "127.0.0.1:0", discovery: .off)

    /// Where to listen, as a numeric `address:port`; port 0 lets the system choose, nil does not
    /// listen.
    public var listen: String?
    /// Peers to keep a connection with, as `host:port`.
    public var peers: [String]
    /// Whether and how DNS-SD is used.
    public var discovery: Discovery

    /// The directory that a phone and its watch share in place of the operating system's service
    /// between them, as an absolute path; nil does without. A home of the kind `watch` takes the
    /// watch's end of it, any other the phone's.
    public var companionLink: String?
    /// Whether sockets are used at all; without them nothing listens, dials or announces, as on a
    /// watch.
    public var usesNetwork: Bool

    /// Whether all scopes are held that were chosen, also where the kind of device holds of what is
    /// divided by time only the recent part.
    public var holdsEverything = false

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

    /// No sockets: everything goes through the directory that phone and watch share.
    public static func companionLink(_ directory: String) -> NodeOptions {
        NodeOptions(companionLink: directory, usesNetwork: false)
    }
}
