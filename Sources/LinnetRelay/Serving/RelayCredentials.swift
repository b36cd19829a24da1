import LinnetSystem

/// The name and password in the head of a request (RFC 7617).
struct RelayCredentials {
    private static let scheme = "basic "
    private static let mostBytes = 1_024

    let name: String
    let password: [UInt8]

    /// Reads the line; nil where it names nobody.
    init?(_ line: String?) {
        guard let line, line.utf8.count <= Self.mostBytes,
            line.prefix(Self.scheme.count).lowercased() == Self.scheme,
            let bytes = Base64.bytes(of: String(line.dropFirst(Self.scheme.count))),
            let colon = bytes.firstIndex(of: 0x3a),
            let name = String(validating: bytes[..<colon], as: UTF8.self)
        else { return nil }
        (self.name, password) = (name, Array(bytes[(colon + 1)...]))
    }
}
