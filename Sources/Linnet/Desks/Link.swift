import LinnetReplication
import LinnetWire

/// One connection of the node, from its first byte until its session ended.
struct Link {
    /// How the connection came to be.
    enum Origin {
        /// The peer dialled; its place is charged to this source until it is authenticated.
        case accepted(AdmissionControl.Source)
        /// An attempt of the dial plan succeeded.
        case dialled(AttemptID, SocketAddress)
        /// A pairing of this device's person; the address when it is over a network.
        case pairing(SocketAddress?)
        /// The directory shared by phone and watch; whether the other side began.
        case companion(isAccepted: Bool)
        /// The application brought a carrier.
        case attached
    }

    let carrier: any Carrier
    let origin: Origin
    /// The member at the other end, once it is proven.
    var device: DeviceID?
}
