#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One network interface of this machine as the system reports it.
package struct NetworkInterface: Equatable, Sendable {
    /// The system's index, as DNS-SD answers carry it; 0 is no interface.
    package let index: UInt32
    /// True when it is the loopback interface.
    package let isLoopback: Bool
    /// True when it is up, carries multicast and is not loopback.
    package let carriesMulticast: Bool
    /// Its address prefixes.
    package var prefixes: [NetworkPrefix]

    /// An interface with the given properties.
    package init(
        index: UInt32, isLoopback: Bool, carriesMulticast: Bool, prefixes: [NetworkPrefix]
    ) {
        self.index = index
        self.isLoopback = isLoopback
        self.carriesMulticast = carriesMulticast
        self.prefixes = prefixes
    }

    /// An interface about which nothing is known, so that nothing special is allowed on it.
    package static func unknown(index: UInt32) -> NetworkInterface {
        NetworkInterface(index: index, isLoopback: false, carriesMulticast: false, prefixes: [])
    }

    /// The machine's interfaces that are up, by index; empty when the system does not say.
    package static func current() -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [NetworkInterface] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let interface = unsafe read(entry) else { continue }
            if let known = found.firstIndex(where: { $0.index == interface.index }) {
                found[known].prefixes += interface.prefixes
            } else {
                found.append(interface)
            }
        }
        return found.sorted { $0.index < $1.index }
    }

    private static func read(_ entry: UnsafeMutablePointer<ifaddrs>) -> NetworkInterface? {
        let flags = unsafe UInt32(entry.pointee.ifa_flags)
        guard flags & UInt32(IFF_UP) != 0, let name = unsafe entry.pointee.ifa_name else {
            return nil
        }
        let isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
        let carries = flags & UInt32(IFF_MULTICAST) != 0 && flags & UInt32(IFF_RUNNING) != 0
        var prefixes: [NetworkPrefix] = []
        if let address = unsafe bytes(of: entry.pointee.ifa_addr),
            let mask = unsafe bytes(of: entry.pointee.ifa_netmask),
            let parsed = IPAddress(bytes: address)
        {
            let bits = mask.reduce(0) { $0 + $1.nonzeroBitCount }
            prefixes = [NetworkPrefix(address: parsed, bits: bits)]
        }
        return NetworkInterface(
            index: unsafe if_nametoindex(name), isLoopback: isLoopback,
            carriesMulticast: carries && !isLoopback, prefixes: prefixes)
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let address = unsafe address else { return nil }
        let raw = UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            var four = unsafe raw.load(as: sockaddr_in.self).sin_addr
            return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
        case AF_INET6:
            var sixteen = unsafe raw.load(as: sockaddr_in6.self).sin6_addr
            return unsafe withUnsafeBytes(of: &sixteen) { unsafe Array($0) }
        default:
            return nil
        }
    }
}
