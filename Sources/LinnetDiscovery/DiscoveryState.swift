/// The state of the search for other devices on the local network, as a person can be told.
package enum DiscoveryState: String, Equatable, Sendable, CaseIterable {
    /// The daemon answers, a usable interface exists, nobody was found yet.
    case searching
    /// At least one instance other than our own is resolved.
    case found
    /// No mDNS daemon answers; we keep trying.
    case noDaemon
    /// The system refused access to the local network.
    case permissionRefused
    /// The daemon answers, but no usable interface carries multicast.
    case noMulticast

    /// The state a failed `dns_sd.h` call means.
    ///
    /// -65570 is `kDNSServiceErr_PolicyDenied`; -72008 is
    /// `NSNetServicesMissingRequiredConfigurationError`. Everything else is a daemon that does
    /// not serve us (Avahi's compatibility layer says -65537 when there is none).
    package init(error code: Int32) {
        self = code == -65570 || code == -72008 ? .permissionRefused : .noDaemon
    }

    /// The state while the daemon serves us.
    package init(resolvedInstances: Int, multicastInterfaces: Int) {
        if resolvedInstances > 0 {
            self = .found
        } else {
            self = multicastInterfaces > 0 ? .searching : .noMulticast
        }
    }
}
