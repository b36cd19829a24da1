import LinnetDiscovery
import LinnetWire

/// What the node knows from DNS-SD, and what it announces there.
struct DiscoveryDesk {
    /// Names of ours that answers may still carry.
    private static let ownNamesKept = 64

    let service: DNSSDService
    /// Whether this node may announce itself.
    let announces: Bool
    var recogniser = Recogniser()
    /// Instances of members and strangers, as resolved last.
    var instances: [InstanceName: Instance] = [:]
    /// Instances that show a pairing code; nil while nobody looks for one.
    var pairing: [InstanceName: Instance]?
    var state = NetworkState.searching
    /// Recognised instances that proved false too often.
    private var falseNames: Set<InstanceName> = []
    /// When a new name is due, in uptime milliseconds.
    var nextDeadline: Int64?
    private(set) var ownNames: [InstanceName] = []

    init(service: DNSSDService, announces: Bool) {
        self.service = service
        self.announces = announces
    }

    mutating func own(_ name: InstanceName) {
        ownNames = Array((ownNames + [name]).suffix(Self.ownNamesKept))
    }

    /// Takes over a name under which this device announced itself in an earlier life.
    mutating func own(heard name: String) {
        guard let name = InstanceName(heard: Array(name.utf8)) else { return }
        instances[name] = nil
        own(name)
    }

    /// Counts a connection to a recognised instance; false when it proved false too often.
    mutating func mayDial(_ name: String) -> Bool {
        guard let name = InstanceName(heard: Array(name.utf8)) else { return false }
        if recogniser.takeDial(name) { return true }
        falseNames.insert(name)
        return false
    }

    /// The epoch under which an instance announces itself.
    func epoch(of name: String) -> EpochID? {
        InstanceName(heard: Array(name.utf8)).flatMap(recogniser.epoch)
    }

    /// Whether an instance proved false too often to be dialled again under this name.
    func isFalse(_ name: InstanceName) -> Bool { falseNames.contains(name) }

    mutating func lost(_ name: InstanceName) {
        instances[name] = nil
        falseNames.remove(name)
    }

    mutating func dialSucceeded(_ name: String) {
        guard let name = InstanceName(heard: Array(name.utf8)) else { return }
        recogniser.dialSucceeded(name)
    }
}

extension Instance {
    /// Where the instance can be dialled.
    var socketAddresses: [SocketAddress] {
        addresses.map {
            SocketAddress(ip: $0.address, port: port, scope: $0.interfaceIndex)
        }
    }
}
