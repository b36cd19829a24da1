/// The address of a store over HTTP, taken apart: `dav+https://HOST[:PORT][/PATH]`,
/// `s3+https://HOST[:PORT]/BUCKET[/PREFIX]` or `relay+https://HOST[:PORT][/PATH]`, and `http` in
/// place of `https` on this machine alone; `relay:` stands for the one of both that fits the host.
struct StoreAddress: Equatable, Sendable {
    /// The protocol that a store speaks.
    enum Kind: Equatable, Sendable {
        case dav
        case s3
        case relay
    }

    /// The beginnings of addresses; without a word on TLS a store has it unless it is on this
    /// machine.
    static let schemes: [(prefix: String, kind: Kind, isPlain: Bool?)] = [
        ("dav+https://", .dav, false), ("dav+http://", .dav, true),
        ("s3+https://", .s3, false), ("s3+http://", .s3, true),
        ("relay+https://", .relay, false), ("relay+http://", .relay, true),
        ("relay:", .relay, nil),
    ]
    private static let mostBytes = 1_024
    private static let plainPort = 80
    private static let securePort = 443

    let kind: Kind
    let isPlain: Bool
    /// The host, and the port where it is not the usual one, as requests name both.
    let host: String
    /// The parts of the path, encoded as a URL has them.
    let path: [String]

    /// Reads an address.
    init(_ text: String) throws(MailboxError) {
        guard text.utf8.count < Self.mostBytes,
            let scheme = Self.schemes.first(where: { text.hasPrefix($0.prefix) })
        else { throw .badAddress(text) }
        kind = scheme.kind
        let rest = text.dropFirst(scheme.prefix.count)
        let authority = rest.prefix { $0 != "/" }
        guard let (name, port) = Self.split(authority), Self.isHost(name) else {
            throw .badAddress(text)
        }
        let isLocal = Self.isLoopback(name)
        isPlain = scheme.isPlain ?? isLocal
        if isPlain, !isLocal { throw .plainAddress }
        let usual = isPlain ? Self.plainPort : Self.securePort
        host = name + (port.map { $0 == usual ? "" : ":\($0)" } ?? "")
        var parts = rest.dropFirst(authority.count + 1)
            .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.last == "" { parts.removeLast() }
        path = parts
        let isRight = kind == .dav ? Self.isDAVPart : Self.isPlainPart
        guard parts.allSatisfy({ isRight($0) && $0 != "." && $0 != ".." && !$0.isEmpty }),
            kind != .s3 || !parts.isEmpty
        else { throw .badAddress(text) }
    }

    /// The beginning of every URL, without a path.
    var origin: String { "\(isPlain ? "http" : "https")://\(host)" }

    /// The URL of a path below this place.
    func url(_ parts: [String], isCollection: Bool = false) -> String {
        let all = path + parts
        return origin + "/" + all.joined(separator: "/")
            + (isCollection && !all.isEmpty ? "/" : "")
    }

    private static func split(_ authority: Substring) -> (String, Int?)? {
        let end =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) }
            : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let (name, rest) = (String(authority[..<end]), authority[end...])
        if rest.isEmpty { return (name, nil) }
        guard rest.first == ":", rest.utf8.count <= 6, rest.dropFirst().allSatisfy(isDigit),
            let port = Int(rest.dropFirst()), (1...65_535).contains(port)
        else { return nil }
        return (name, port)
    }

    private static func isHost(_ name: String) -> Bool {
        if name.hasPrefix("[") {
            let inner = name.dropFirst().dropLast()
            return name.hasSuffix("]") && inner.contains(":")
                && inner.utf8.allSatisfy { isHex($0) || $0 == 0x3a || $0 == 0x2e }
        }
        return (1...253).contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(".")
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2d || $0 == 0x2e }
    }

    private static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.allSatisfy(isDigit) && (0...255).contains(Int($0) ?? -1) }
    }

    private static func isPlainPart(_ part: String) -> Bool {
        part.utf8.allSatisfy { isAlphanumeric($0) || "-._~".utf8.contains($0) }
    }

    private static func isDAVPart(_ part: String) -> Bool {
        let bytes = Array(part.utf8)
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if byte == 0x25 {
                return index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
            }
            return isAlphanumeric(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isWholeNumber
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }
}
