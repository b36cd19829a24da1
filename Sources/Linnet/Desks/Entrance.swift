import LinnetReplication
import LinnetSystem
import LinnetWire

/// The entrance for connections of others: the listener, and the places of those that are not
/// proven yet.
struct Entrance {
    private var listener: TCPListener?
    /// The port of the listener that was closed last; other devices know it.
    private var portBefore: UInt16?
    private var admission = AdmissionControl()
    /// The accepted links that hold a place among the unauthenticated.
    private var places: [LinkID: any Carrier] = [:]

    /// The address at which the node listens; nil when it does not.
    var address: SocketAddress? { listener?.address }
    /// The port at which the node listens, or did before it closed.
    var lastPort: UInt16? { address?.port ?? portBefore }

    mutating func open(_ listener: TCPListener) { self.listener = listener }

    /// Stops listening; accepted links stay.
    mutating func close() {
        portBefore = lastPort
        listener?.close()
        listener = nil
    }

    /// Gives a source a place; nil means that its link may begin.
    mutating func admit(
        _ source: AdmissionControl.Source, at now: Moment
    ) -> AdmissionControl.Refusal? {
        admission.admit(source, at: now)
    }

    /// The unauthenticated link that has waited longest, with its carrier.
    var longestWaiting: (link: LinkID, carrier: any Carrier)? {
        places.min { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Notes that an accepted link holds the place that its source was given.
    mutating func hold(_ link: LinkID, _ carrier: any Carrier) { places[link] = carrier }

    /// Notes that a member was proven on a link: its place is free.
    mutating func authenticated(
        _ link: LinkID, from source: AdmissionControl.Source, at now: Moment
    ) {
        guard places.removeValue(forKey: link) != nil else { return }
        admission.authenticated(source, at: now)
    }

    /// Notes that a link's socket is closed; one that was never proven counts against its
    /// source.
    mutating func closed(
        _ link: LinkID, from source: AdmissionControl.Source, at now: Moment
    ) {
        guard places.removeValue(forKey: link) != nil else { return }
        admission.failed(source, at: now)
    }
}
