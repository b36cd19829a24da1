import LinnetControl

/// The code and the pairing address that a screen shows, so that another device can pair.
public struct PairingInvitation: Equatable, Sendable {
    /// Six digits to type on the other device.
    public let code: String
    /// A pairing address to scan or paste on the other device.
    public let uri: String
    /// The `host:port` at which this device listens; the first of its addresses.
    public let address: String
    /// The name under which the invitation is announced; nil when it is not. Its first three
    /// characters tell one screen from another.
    public let instance: String?
    /// The time for which the code can be typed.
    public let lifetime: Duration
}

/// A device that knows the secret and asks to be admitted.
public struct Newcomer: Equatable, Sendable {
    /// The name that its person gives it.
    public let name: String
    /// The kind of device that it says it is.
    public let kind: String
    /// The fingerprint: words to compare with those on its screen.
    public let fingerprint: [String]
}

extension PairingSight {
    /// Takes over what an invitation of the node shows.
    package init(_ invitation: PairingInvitation) {
        self.init(
            code: invitation.code, uri: invitation.uri, listen: invitation.address,
            instance: invitation.instance ?? "",
            lifetimeMilliseconds: UInt64(max(0, invitation.lifetime / .milliseconds(1))))
    }
}
