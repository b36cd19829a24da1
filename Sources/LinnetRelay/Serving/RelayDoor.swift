import LinnetDiscovery
import LinnetSystem

/// The connections that are open: how many there are of one address, and until when each may go on.
struct RelayDoor {
    private struct Guest {
        let origin: [UInt8]
        var deadline: Int64
    }

    private let mostOfOne: Int
    private var guests: [Int32: Guest] = [:]
    private var counts: [[UInt8]: Int] = [:]

    init(ofOne: Int = RelayLimits.connectionsOfOne) { mostOfOne = ofOne }

    /// Lets a connection in; false where its address has enough of them. This machine may have any
    /// number, since a server before this one speaks for all.
    mutating func admit(_ descriptor: Int32, from ip: IPAddress, until deadline: Int64) -> Bool {
        let origin = Self.origin(of: ip)
        guard ip.isLoopback || counts[origin] ?? 0 < mostOfOne else { return false }
        leave(descriptor)
        guests[descriptor] = Guest(origin: origin, deadline: deadline)
        counts[origin, default: 0] += 1
        return true
    }

    /// Gives a connection more time.
    mutating func extend(_ descriptor: Int32, until deadline: Int64) {
        guests[descriptor]?.deadline = deadline
    }

    /// Forgets a connection that is closed.
    mutating func leave(_ descriptor: Int32) {
        guard let guest = guests.removeValue(forKey: descriptor) else { return }
        let rest = (counts[guest.origin] ?? 0) - 1
        counts[guest.origin] = rest > 0 ? rest : nil
    }

    /// True when no connection is open.
    var isEmpty: Bool { guests.isEmpty }

    /// The connections whose time is over.
    func late(at uptime: Int64) -> [Int32] {
        guests.filter { $0.value.deadline <= uptime }.map(\.key)
    }

    /// One customer of IPv6 has 64 bits of addresses.
    private static func origin(of ip: IPAddress) -> [UInt8] {
        ip.isIPv6 ? Array(ip.bytes.prefix(8)) : ip.bytes
    }
}

extension IPAddress {
    /// True for an address of this machine.
    var isLoopback: Bool { isIPv6 ? text == "::1" : bytes.first == 127 }
}
