package import LinnetMembership
package import LinnetWire

/// A link as the shell numbers it; a number is never used twice.
package struct LinkID: Hashable, Comparable, Sendable {
    /// The shell's number.
    package let rawValue: UInt64

    /// Names a link.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Orders links by the shell's number.
    package static func < (left: LinkID, right: LinkID) -> Bool { left.rawValue < right.rawValue }
}

/// The secret that a person carried from one screen to the other.
package enum PairingSecret: Equatable, Sendable {
    /// The digits typed on this device.
    case code(PairingCode)
    /// The ticket scanned or pasted on this device.
    case ticket(PairingTicket)
}

/// The origin of a link.
package enum LinkOrigin: Equatable, Sendable {
    /// The peer dialled; its preface says what it wants.
    case accepted
    /// This device dialled as a member of the group, and knows no more of who is there.
    case dialled
    /// This device dialled a member where it met that one before.
    case dialledMember(DeviceID)
    /// This device dialled one that announces itself as a holder of this epoch.
    case dialledHolder(of: EpochID)
    /// This device dialled in order to pair.
    case dialledToPair(PairingSecret)
}

/// Everything that reaches a replica from outside.
package enum Input: Equatable, Sendable {
    /// A carrier connected.
    case linkOpened(LinkID, LinkOrigin)
    /// Bytes arrived, cut anywhere.
    case received(LinkID, [UInt8])
    /// The link ended or failed.
    case linkClosed(LinkID)
    /// The deadline that the replica named has passed.
    case deadlineReached
    /// The person answered a pairing request; scopes are those to which the newcomer is bound.
    case pairingDecision(LinkID, accept: Bool, role: Role, scopes: ScopeChoice? = nil)
    /// The shell judged the group's schema that this device was shown.
    case schemaJudged(LinkID, accept: Bool)
    /// The store behind a mailbox answered a request, or could not be asked.
    case mailAnswered(MailboxID, MailRequest, MailAnswer, MailTraffic = MailTraffic())
    /// The store behind a mailbox says that somebody put something there: a hint, as all it says.
    case mailNews(MailboxID)
}
