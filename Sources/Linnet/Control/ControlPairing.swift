package import LinnetWire

/// A step of a pairing, as the member's person is told.
package enum ControlPairing: Equatable, Sendable {
    /// A code and a ticket are valid now, side by side.
    case offered(PairingSight)
    /// A newcomer has proven that it knows the secret: answer with `decide`.
    case newcomer(name: String, kind: String, fingerprint: [String])
    /// Somebody typed another code.
    case wrongCode(triesLeft: UInt64)
    /// The newcomer is a member now.
    case paired(device: DeviceID, name: String)
}

/// The things that a person reads off a screen, or a camera does, to join.
package struct PairingSight: Equatable, Sendable {
    /// The six digits.
    package var code: String
    /// The ticket.
    package var uri: String
    /// The `host:port` at which the node listens.
    package var listen: String
    /// The name under which it is announced; empty when it is not.
    package var instance: String
    /// The time for which both stay valid, in milliseconds.
    package var lifetimeMilliseconds: UInt64

    /// Joins the facts.
    package init(
        code: String, uri: String, listen: String, instance: String, lifetimeMilliseconds: UInt64
    ) {
        self.code = code
        self.uri = uri
        self.listen = listen
        self.instance = instance
        self.lifetimeMilliseconds = lifetimeMilliseconds
    }

    /// Takes over what an invitation of the node shows.
    package init(_ invitation: PairingInvitation) {
        self.init(
            code: invitation.code, uri: invitation.uri, listen: invitation.address,
            instance: invitation.instance ?? "",
            lifetimeMilliseconds: UInt64(max(0, invitation.lifetime / .milliseconds(1))))
    }
}
