import LinnetSystem
import LinnetWire

/// One connection of the node, from its first byte until its session has ended.
struct Link {
    /// The way in which a connection came to be.
    enum Origin {
        /// The peer dialled; its place is charged to this source until it is authenticated.
        case accepted(AdmissionControl.Source)
        /// An attempt of the dial plan succeeded.
        case dialled(AttemptID, SocketAddress)
        /// A pairing of this device's person dialled; the address is there when it is over a
        /// network.
        case pairing(SocketAddress?)
        /// A link in the directory shared by phone and watch; true when the other side began it.
        case companion(isAccepted: Bool)
        /// The application brought a carrier.
        case attached
    }

    let carrier: any Carrier
    let origin: Origin
    /// The member at the other end, once it is proven.
    var device: DeviceID?
    /// The time at which that was proven, in Unix milliseconds.
    var sinceMilliseconds: Int64?
    /// The bytes that came and that were handed to the carrier.
    var bytes: (received: UInt64, sent: UInt64) = (0, 0)

    /// The way for a person: an address, or the kind of carrier.
    var way: String {
        if let tcp = carrier as? TCPLink { return tcp.remote.description }
        if case .companion = origin { return "companion link" }
        return "a carrier of the application"
    }
}
