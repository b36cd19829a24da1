package import LinnetDiscovery

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The place at which a device is said to be: `host:port`, `192.0.2.1:7000` or
/// `[fe80::1%eth0]:7000`.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, or a name that must be looked up first.
    package enum Host: Hashable, Sendable {
        /// A numeric address with the interface number of a link-local one.
        case address(IPAddress, scope: UInt32)
        /// A host name, not looked up yet.
        case name(String)
    }

    /// The host.
    package let host: Host
    /// The TCP port; 0 only where a listener may choose.
    package let port: UInt16

    /// Joins the parts of an endpoint.
    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Makes the endpoint of a numeric address.
    package init(_ address: SocketAddress) {
        self.init(host: .address(address.ip, scope: address.scope), port: address.port)
    }

    /// Parses `host:port`; nil when a part is missing, too long or out of range.
    package init?(parsing text: String) {
        guard text.utf8.count <= 300, let colon = text.lastIndex(of: ":") else { return nil }
        let portText = text[text.index(after: colon)...]
        guard !portText.isEmpty, portText.allSatisfy({ $0.isASCII && $0.isNumber }),
            let port = UInt16(portText), let host = Self.host(text[..<colon])
        else { return nil }
        self.init(host: host, port: port)
    }

    /// The numeric address, or nil for a name.
    package var socketAddress: SocketAddress? {
        guard case .address(let ip, let scope) = host else { return nil }
        return SocketAddress(ip: ip, port: port, scope: scope)
    }

    package var description: String {
        switch host {
        case .name(let name): "\(name):\(port)"
        case .address(let ip, let scope):
            SocketAddress(ip: ip, port: port, scope: scope).description
        }
    }

    private static func host(_ text: Substring) -> Host? {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]") else { return nil }
            return bracketed(text.dropFirst().dropLast())
        }
        // With more than one colon and no brackets, the port would be guesswork.
        guard !text.contains(":") else { return nil }
        if let ip = IPAddress(String(text)) { return .address(ip, scope: 0) }
        return isName(text) ? .name(String(text)) : nil
    }

    private static func bracketed(_ text: Substring) -> Host? {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let ip = IPAddress(String(first)), text.contains(":") else {
            return nil
        }
        guard parts.count == 2 else { return .address(ip, scope: 0) }
        guard let scope = interfaceNumber(String(parts[1])) else { return nil }
        return .address(ip, scope: scope)
    }

    private static func interfaceNumber(_ text: String) -> UInt32? {
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        if let number = UInt32(text) { return number == 0 ? nil : number }
        let number = unsafe if_nametoindex(text)
        return number == 0 ? nil : number
    }

    /// Returns true for letters, digits, hyphens and dots: RFC 1123 names, but no address written
    /// wrongly.
    private static func isName(_ text: Substring) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253, text.contains(where: \.isLetter) else {
            return false
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let significant = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        return significant.allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63
                && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
    }
}
