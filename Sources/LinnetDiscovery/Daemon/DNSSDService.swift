internal import LinnetWire
internal import Synchronization

/// Announces and browses through the system's mDNS daemon, on a thread of its own.
///
/// Commands return at once; what happens is told through the event closure, which runs on that
/// thread and must not block it. A daemon that is absent, dies or returns is waited for:
/// whatever was asked for is asked for again.
package final class DNSSDService: Sendable {
    private let inbox: DaemonInbox

    /// Starts the thread; nothing is announced or browsed until asked for.
    package init(
        policy: DialPolicy = .localOnly,
        events: @escaping @Sendable (DiscoveryEvent) -> Void
    ) throws(DiscoveryError) {
        let inbox = try DaemonInbox()
        self.inbox = inbox
        guard
            DetachedThread.start({
                DNSSDLoop(inbox: inbox, policy: policy, emit: events).run()
            })
        else { throw .threadRefused }
    }

    deinit { inbox.post(.stop) }

    /// Looks for instances of a type until `stopBrowsing`.
    package func browse(_ type: ServiceType) { inbox.post(.browse(type)) }

    /// Forgets a type and its instances, without `lost` events.
    package func stopBrowsing(_ type: ServiceType) { inbox.post(.stopBrowsing(type)) }

    /// Announces one instance of a type in place of the one before; `port` is not 0 and `txt`
    /// has at most 256 bytes.
    package func announce(_ type: ServiceType, name: InstanceName, port: UInt16, txt: [UInt8]) {
        precondition(
            port != 0 && txt.count <= Limits.discoveryTextBytes,
            "an announcement has a port and a small TXT record")
        inbox.post(.announce(type, Announcement(name: name, port: port, txt: txt)))
    }

    /// Takes our instance of a type off the network.
    package func withdraw(_ type: ServiceType) { inbox.post(.withdraw(type)) }

    /// Withdraws everything and ends the thread; `stopped` is the last event.
    package func stop() { inbox.post(.stop) }

    /// The counts of input that was turned away so far.
    package var counters: DiscoveryCounters { inbox.counters }
}

/// A reason for which discovery cannot be started.
package enum DiscoveryError: Error, Equatable, Sendable {
    /// The system gave no pipe to wake the thread with.
    case pipeRefused
    /// The system gave no thread.
    case threadRefused
}
