import LinnetReplication
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
}
