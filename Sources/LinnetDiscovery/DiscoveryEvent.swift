/// An event that the DNS-SD thread tells its owner, in the order in which it happened.
package enum DiscoveryEvent: Equatable, Sendable {
    /// The readable state changed; sent once per change, so a dead daemon is not a stream.
    case state(DiscoveryState)
    /// An instance was resolved, or more became known of it; replaces what was said before.
    case found(Instance)
    /// An instance is gone, on all interfaces.
    case lost(InstanceName, ServiceType)
    /// Our own instance is on the network.
    case announced(InstanceName, ServiceType)
    /// Somebody else holds our name; the announcement is withdrawn, choose a new name.
    case nameTaken(InstanceName, ServiceType)
    /// Interfaces or addresses of this machine changed: choose a new name, dial again.
    case networkChanged
    /// The thread has let go of everything; nothing follows.
    case stopped
}

/// The counts of hostile or excessive input that was turned away since the start.
package struct DiscoveryCounters: Equatable, Sendable {
    /// Names that are not 12 base32 characters.
    package var badNames = 0
    /// Answers with port 0, a long TXT record or a host outside `.local`.
    package var badAnswers = 0
    /// Addresses the dial policy refuses.
    package var refusedAddresses = 0
    /// Instances that were over a limit of the table.
    package var refusedInstances = 0

    /// All zero.
    package init() {}
}
