/// The device whose code or ticket was typed, as far as the person named it.
package struct PairingPeer: ControlStruct, Equatable {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.address, \.screen) }

    /// The address at which that device listens, "host:port".
    package var address: String?
    /// The first characters of the name that its screen shows.
    package var screen: String?

    /// Joins the facts.
    package init(address: String? = nil, screen: String? = nil) {
        self.address = address
        self.screen = screen
    }
}

/// The terms of a pairing: the role that the member grants, and its address meanwhile.
package struct PairingTerms: ControlStruct, Equatable {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.role, \.listen, \.discovers, \.companionLink, \.scopes)
    }

    /// The newcomer's role: admin, member, reader or relay.
    package var role: String
    /// The address for a node that does not listen yet, "host:port".
    package var listen: String?
    /// True when a node that was not started may use DNS-SD.
    package var discovers: Bool
    /// The directory shared with the phone or the watch through which a node that was not started
    /// pairs, without sockets.
    package var companionLink: String?
    /// The scopes to which the newcomer is bound, between commas; nil for none.
    package var scopes: String?

    /// Joins the terms.
    package init(
        role: String = "admin", listen: String? = nil, discovers: Bool = true,
        companionLink: String? = nil, scopes: String? = nil
    ) {
        self.scopes = scopes
        self.role = role
        self.listen = listen
        self.discovers = discovers
        self.companionLink = companionLink
    }
}
