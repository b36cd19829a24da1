// These requests are about the node and its group.

/// The identity of whoever answers.
package struct IdentityRequest: ControlRequest {
    package typealias Answer = ControlIdentity
    package static let number: UInt64 = 13
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The state of the group.
package struct StatusRequest: ControlRequest {
    package typealias Answer = ControlStatus
    package static let number: UInt64 = 14
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The links of a node, and what it knows of other clocks.
package struct ConnectionsRequest: ControlRequest {
    package typealias Answer = ControlConnections
    package static let number: UInt64 = 100
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The batches that each other device lacks, by what it said when it was last heard.
package struct LacksRequest: ControlRequest {
    package typealias Answer = [ControlLack]
    package static let number: UInt64 = 101
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The digest of what the device holds, and its vector.
package struct DigestRequest: ControlRequest {
    package typealias Answer = ControlDigest
    package static let number: UInt64 = 15
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.isWhole) }

    /// True for the digest that 0.1.0 shows, for which every record is read.
    package var isWhole: Bool

    /// Asks for one of the two digests.
    package init(_ isWhole: Bool = false) { self.isWhole = isWhole }
}

/// The scopes that this device holds.
package struct ScopesRequest: ControlRequest {
    package typealias Answer = ControlScopes
    package static let number: UInt64 = 16
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The collections that the home keeps.
package struct SchemaRequest: ControlRequest {
    package typealias Answer = ControlSchema
    package static let number: UInt64 = 40
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// Another name for this device.
package struct RenameRequest: ControlRequest {
    package typealias Answer = ControlReceipt
    package static let number: UInt64 = 42
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.name) }

    /// The name.
    package var name: String

    /// Gives the name.
    package init(_ name: String) { self.name = name }
}

/// An exchange until in step with these peers, or with whoever is found.
package struct SynchronizeRequest: ControlRequest {
    package typealias Answer = ControlSynced
    package static let number: UInt64 = 43
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.meeting) }

    /// The devices to meet, and the time for it.
    package var meeting: ControlMeeting

    /// Meets devices.
    package init(_ meeting: ControlMeeting) { self.meeting = meeting }
}

/// A code to show, and a newcomer to wait for.
package struct PairingOfferRequest: ControlRequest {
    package typealias Answer = ControlPairing
    package static let number: UInt64 = 60
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.terms) }

    /// The terms that the newcomer is granted.
    package var terms: PairingTerms

    /// Offers terms.
    package init(_ terms: PairingTerms) { self.terms = terms }
}

/// The code or ticket that a newcomer shows.
package struct PairingEntryRequest: ControlRequest {
    package typealias Answer = ControlPairing
    package static let number: UInt64 = 61
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.secret, \.peer, \.terms)
    }

    /// The six digits or the ticket.
    package var secret: String
    /// The device that shows it, as far as the person named it.
    package var peer: PairingPeer
    /// The terms that the newcomer is granted.
    package var terms: PairingTerms

    /// Joins the parts.
    package init(_ secret: String, of peer: PairingPeer, _ terms: PairingTerms) {
        self.secret = secret
        self.peer = peer
        self.terms = terms
    }
}
