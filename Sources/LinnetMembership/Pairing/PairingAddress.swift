/// A numeric address and a port, where a device that pairs can be reached.
package struct PairingAddress: Equatable, Sendable {
    /// IPv4 in dotted decimals, or IPv6 without brackets and zone.
    package let host: String
    /// 1...65535.
    package let port: UInt16

    /// Takes a numeric host and a port; nil for anything else.
    package init?(host: String, port: UInt16) {
        guard port > 0, Self.isIPv4(host) || Self.isIPv6(host) else { return nil }
        self.host = host
        self.port = port
    }

    /// Reads `1.2.3.4:5` or `[fe80::1]:5`; nil for anything else.
    package init?(parsing text: Substring) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), Self.isDecimal(digits),
            let port = UInt16(digits)
        else { return nil }
        var host = text[..<colon]
        if host.first == "[" {
            guard host.last == "]", host.count > 2 else { return nil }
            host = host.dropFirst().dropLast()
            guard Self.isIPv6(String(host)) else { return nil }
        } else if !Self.isIPv4(String(host)) {
            return nil
        }
        self.init(host: String(host), port: port)
    }

    /// The form that ``init(parsing:)`` reads.
    package var text: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static func isDecimal(_ text: Substring) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return !text.isEmpty && text.utf8.allSatisfy(digits.contains)
    }

    private static func isIPv4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                isDecimal(part) && part.utf8.count <= 3 && UInt8(part) != nil
                    && (part.utf8.count == 1 || part.first != "0")
            }
    }

    private static func isIPv6(_ text: String) -> Bool {
        guard text.utf8.count <= 39 else { return false }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 9 else { return false }
        guard groups.allSatisfy({ $0.utf8.count <= 4 && isHexadecimal($0) }) else { return false }
        let filled = groups.filter { !$0.isEmpty }.count
        let colons = Array(text.utf8)
        let pairs = zip(colons, colons.dropFirst()).filter {
            $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: ":")
        }
        switch pairs.count {
        case 0: return filled == 8 && groups.count == 8
        case 1: return filled <= 7 && !hasLooseColon(text)
        default: return false
        }
    }

    /// Returns true when a text begins or ends with a single colon.
    private static func hasLooseColon(_ text: String) -> Bool {
        (text.hasPrefix(":") && !text.hasPrefix("::"))
            || (text.hasSuffix(":") && !text.hasSuffix("::"))
    }

    private static func isHexadecimal(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
    }
}
