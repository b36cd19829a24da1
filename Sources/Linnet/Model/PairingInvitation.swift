/// What a screen shows so that another device can pair.
public struct PairingInvitation: Equatable, Sendable {
    /// Six digits to type on the other device.
    public let code: String
    /// A pairing address to scan or paste on the other device.
    public let uri: String
    /// Where this device listens, `host:port`; the first of its addresses.
    public let address: String
    /// The name under which the invitation is announced; nil when it is not. Its first three
    /// characters tell one screen from another.
    public let instance: String?
    /// How long the code can be typed.
    public let lifetime: Duration
}

/// A device that knows the secret and asks to be admitted.
public struct Newcomer: Equatable, Sendable {
    /// What its person calls it.
    public let name: String
    /// What it says it is.
    public let kind: String
    /// Words to compare with those on its screen.
    public let fingerprint: [String]
}
