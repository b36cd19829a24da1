import LinnetDiscovery

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Looks host names up on helper threads: getaddrinfo blocks, and the loop must not.
package enum NameResolver {
    /// The most addresses that are kept of one name.
    private static let addressLimit = 8

    /// Looks a name up and reports its addresses on the loop's thread; it reports none when the
    /// name is unknown.
    package static func resolve(
        _ name: String, port: UInt16, loop: EventLoop,
        found: @escaping @Sendable ([SocketAddress]) -> Void
    ) {
        let started = HelperThread.start {
            let addresses = lookUp(name, port: port)
            loop.post { found(addresses) }
        }
        if !started { loop.post { found([]) } }
    }

    private static func lookUp(_ name: String, port: UInt16) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Darwin)
            unsafe hints.ai_socktype = SOCK_STREAM
        #else
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var entry = unsafe first
        while let info = unsafe entry, addresses.count < addressLimit {
            if let address = unsafe address(in: info.pointee, port: port),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe entry = info.pointee.ai_next
        }
        return addresses
    }

    private static func address(in info: addrinfo, port: UInt16) -> SocketAddress? {
        guard let source = unsafe info.ai_addr else { return nil }
        var storage = sockaddr_storage()
        let count = unsafe min(Int(info.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &storage) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
        }
        guard let found = SocketAddress(storage) else { return nil }
        return SocketAddress(ip: found.ip, port: port, scope: found.scope)
    }
}
