package import LinnetCrypto
package import LinnetWire

/// A pairing address, shown as a QR code or a line of text: who, a secret for one use, and where.
package struct PairingTicket: Equatable, Sendable {
    /// Longest text that is read.
    package static let mostTextBytes = 2_048
    /// Most addresses of one ticket.
    package static let mostAddresses = 16

    private static let scheme = "linnet:"
    private static let version = "1"
    private static let idCharacters = 52
    private static let checkCharacters = 4

    /// The device that shows the ticket.
    package let device: DeviceID
    /// A secret for one use, 32 bytes.
    package let secret: SharedSecret
    /// The addresses at which the device listens; may be empty.
    package let addresses: [PairingAddress]

    /// A fresh ticket for a device; addresses beyond the sixteenth are left out.
    package init(device: DeviceID, addresses: [PairingAddress], entropy: inout Entropy) {
        self.device = device
        secret = SharedSecret(entropy.secret(32))
        self.addresses = Array(addresses.prefix(Self.mostAddresses))
    }

    /// Reads a pairing address from a stranger's hand.
    ///
    /// Throws ``MembershipError/ticketFromTheFuture`` for a higher version and
    /// ``MembershipError/badTicket`` for anything else that is wrong.
    package init(parsing text: String) throws(MembershipError) {
        guard text.utf8.count <= Self.mostTextBytes else { throw .badTicket }
        let parts = text.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let head = parts.first, head.lowercased().hasPrefix(Self.scheme) else {
            throw .badTicket
        }
        let version = head.dropFirst(Self.scheme.count)
        guard version == Self.version else {
            guard let number = UInt32(version), number > 1 else { throw .badTicket }
            throw .ticketFromTheFuture
        }
        guard parts.count == 2 else { throw .badTicket }
        var fields = OrderedTable<String, Substring>()
        for field in parts[1].split(separator: "&", omittingEmptySubsequences: false) {
            guard let equals = field.firstIndex(of: "=") else { throw .badTicket }
            let name = String(field[..<equals])
            guard fields[name] == nil else { throw .badTicket }
            fields[name] = field[field.index(after: equals)...]
        }
        guard let device = fields["d"], let secret = fields["s"] else { throw .badTicket }
        self.device = try Self.device(in: device)
        self.secret = try Self.secret(in: secret)
        addresses = try Self.addresses(in: fields["a"] ?? "")
    }

    /// The text that ``init(parsing:)`` reads.
    package var text: String {
        let secret = TextAlphabet.base64URL.encode(secret.bytes.exposed())
        let addresses = addresses.map(\.text).joined(separator: ",")
        return Self.scheme + Self.version + "?d=" + TextAlphabet.base32.encode(device.array)
            + Self.check(of: device) + "&s=" + secret + "&a=" + addresses
    }

    /// The pre-shared key of the handshake, 32 bytes.
    package var psk: SharedSecret {
        SharedSecret(KeyDerivation.derive(secret.bytes, .pairTicket))
    }

    /// True when device, addresses and secret are the same; the secrets are compared in constant
    /// time.
    package static func == (left: PairingTicket, right: PairingTicket) -> Bool {
        left.device == right.device && left.addresses == right.addresses
            && left.secret.bytes.equals(right.secret.bytes)
    }

    /// The first 20 bits of a hash of the identifier, so that a mistyped one is noticed.
    private static func check(of device: DeviceID) -> String {
        String(
            TextAlphabet.base32.encode(Hash.blake2b(.check, device.array)).prefix(checkCharacters))
    }

    private static func device(in text: Substring) throws(MembershipError) -> DeviceID {
        guard text.utf8.count == idCharacters + checkCharacters,
            let bytes = TextAlphabet.base32.decode(String(text.prefix(idCharacters))),
            let device = DeviceID(bytes),
            text.suffix(checkCharacters).lowercased() == check(of: device)
        else { throw .badTicket }
        return device
    }

    private static func secret(in text: Substring) throws(MembershipError) -> SharedSecret {
        guard let bytes = TextAlphabet.base64URL.decode(String(text)), bytes.count == 32 else {
            throw .badTicket
        }
        return SharedSecret(SecretBytes(copying: bytes))
    }

    private static func addresses(
        in text: Substring
    ) throws(MembershipError) -> [PairingAddress] {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= mostAddresses else { throw .badTicket }
        var addresses: [PairingAddress] = []
        for part in parts {
            guard let address = PairingAddress(parsing: part) else { throw .badTicket }
            addresses.append(address)
        }
        return addresses
    }
}
