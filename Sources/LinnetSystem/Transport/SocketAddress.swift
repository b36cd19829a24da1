package import LinnetDiscovery

#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// A numeric address with its port, to which a socket is connected or bound.
package struct SocketAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The numeric address; an IPv4-mapped IPv6 address is IPv4.
    package let ip: IPAddress
    /// The TCP port.
    package let port: UInt16
    /// The interface number of a link-local IPv6 address, otherwise 0.
    package let scope: UInt32

    /// Joins the parts; the scope is dropped where it means nothing.
    package init(ip: IPAddress, port: UInt16, scope: UInt32 = 0) {
        self.ip = ip
        self.port = port
        self.scope = ip.isLinkLocalIPv6 ? scope : 0
    }

    /// Reads the address in a socket address structure; nil for families other than IPv4 and IPv6.
    package init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            let (bytes, port) = unsafe withUnsafeBytes(of: &storage) { raw in
                let address = unsafe raw.loadUnaligned(as: sockaddr_in.self)
                return unsafe (
                    withUnsafeBytes(of: address.sin_addr) { unsafe [UInt8]($0) }, address.sin_port
                )
            }
            guard let ip = IPAddress(bytes: bytes) else { return nil }
            self.init(ip: ip, port: UInt16(bigEndian: port))
        case AF_INET6:
            let (bytes, port, scope) = unsafe withUnsafeBytes(of: &storage) { raw in
                let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
                return unsafe (
                    withUnsafeBytes(of: address.sin6_addr) { unsafe [UInt8]($0) },
                    address.sin6_port, address.sin6_scope_id
                )
            }
            guard let ip = IPAddress(bytes: bytes) else { return nil }
            self.init(ip: ip, port: UInt16(bigEndian: port), scope: scope)
        default:
            return nil
        }
    }

    /// The address family: `AF_INET` or `AF_INET6`.
    package var family: Int32 { ip.isIPv6 ? AF_INET6 : AF_INET }

    /// Calls `body` with the address in the form that the system takes.
    package func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var storage = sockaddr_storage()
        let length = unsafe withUnsafeMutableBytes(of: &storage) { unsafe fill($0) }
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, length)
            }
        }
    }

    private func fill(_ raw: UnsafeMutableRawBufferPointer) -> socklen_t {
        if ip.isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
                unsafe $0.copyBytes(from: ip.bytes)
            }
            unsafe raw.storeBytes(of: address, as: sockaddr_in6.self)
            return socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: ip.bytes) }
        unsafe raw.storeBytes(of: address, as: sockaddr_in.self)
        return socklen_t(MemoryLayout<sockaddr_in>.size)
    }

    /// `192.0.2.1:7000` or `[fe80::1%2]:7000`, a form that `Endpoint` reads back.
    package var description: String {
        guard ip.isIPv6 else { return "\(ip.text):\(port)" }
        return scope == 0 ? "[\(ip.text)]:\(port)" : "[\(ip.text)%\(scope)]:\(port)"
    }

    package static func < (left: SocketAddress, right: SocketAddress) -> Bool {
        (left.ip, left.port, left.scope) < (right.ip, right.port, right.scope)
    }
}

extension IPAddress {
    /// True for an fe80::/10 address, which means nothing without an interface.
    package var isLinkLocalIPv6: Bool {
        isIPv6 && bytes.starts(with: [0xfe]) && (0x80...0xbf).contains(bytes.dropFirst().first ?? 0)
    }

    /// True for 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        isIPv6
            ? bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 } : bytes.first == 127
    }
}
