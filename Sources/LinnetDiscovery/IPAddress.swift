#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A numeric IPv4 or IPv6 address without a scope.
package struct IPAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Four or sixteen bytes in network order; an IPv4-mapped IPv6 address is held as IPv4.
    package let bytes: [UInt8]

    /// An address from 4 or 16 bytes in network order; nil for other lengths.
    package init?(bytes: [UInt8]) {
        let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = bytes.starts(with: mappedPrefix) ? Array(bytes.suffix(4)) : bytes
        default: return nil
        }
    }

    /// An address from its numeric text; nil for names, scopes and anything else.
    package init?(_ text: String) {
        guard text.utf8.count < 64, !text.utf8.contains(0) else { return nil }
        var four = [UInt8](repeating: 0, count: 4)
        var sixteen = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: four)
        } else if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 {
            self.init(bytes: sixteen)
        } else {
            return nil
        }
    }

    /// True when this is an IPv6 address.
    package var isIPv6: Bool { bytes.count == 16 }

    /// The numeric text, without a scope.
    package var text: String {
        var buffer = [CChar](repeating: 0, count: 64)
        let family = isIPv6 ? AF_INET6 : AF_INET
        guard unsafe inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else {
            return ""
        }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var description: String { text }

    package static func < (left: IPAddress, right: IPAddress) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
