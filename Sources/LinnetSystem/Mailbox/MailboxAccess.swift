package import LinnetCrypto
package import LinnetWire

/// The account with which a store over HTTP is used, and whom its certificate has to come from.
package struct MailboxAccess: Sendable {
    /// The region that stores of S3 take where nobody named one.
    package static let usualRegion = "us-east-1"
    private static let mostUserBytes = 256
    private static let mostRegionBytes = 64
    private static let mostAuthorityBytes = 65_536
    private static let version: UInt64 = 1

    /// The name, or the identifier of an access key; empty where there is no account.
    package let user: String
    /// The password, or the secret of the access key; nil where there is no account.
    package let password: SharedSecret?
    /// The region of S3.
    package let region: String
    /// The certificates of the authorities that are trusted, in PEM; empty for the system's.
    package let authority: [UInt8]

    /// Joins the parts; they are judged where a store is opened.
    package init(user: String, password: SharedSecret?, region: String, authority: [UInt8]) {
        (self.user, self.password) = (user, password)
        (self.region, self.authority) = (region, authority)
    }

    /// Throws where the account is none that a store of this kind can be asked with.
    func check(for kind: StoreAddress.Kind) throws(MailboxError) {
        guard user.isEmpty == (password == nil) else {
            throw .badAccount("an account is a name and a password: give both")
        }
        let isPlain = user.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        guard user.utf8.count <= Self.mostUserBytes, isPlain,
            kind == .s3 || !user.utf8.contains(0x3a), kind != .s3 || !user.utf8.contains(0x2f)
        else {
            throw .badAccount(
                "the name of an account has at most \(Self.mostUserBytes) bytes, no spaces, and"
                    + " no colon for WebDAV and relays, or slash for S3")
        }
        let isRegion = region.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d
        }
        guard isRegion, (1...Self.mostRegionBytes).contains(region.utf8.count) else {
            throw .badAccount("a region is a word as us-east-1")
        }
        guard authority.isEmpty || isAuthority else {
            throw .badAccount(
                "the file of --ca is no certificate in PEM of at most \(Self.mostAuthorityBytes)"
                    + " bytes")
        }
    }

    private var isAuthority: Bool {
        authority.count <= Self.mostAuthorityBytes
            && authority.firstRange(of: Array("-----BEGIN CERTIFICATE-----".utf8)) != nil
    }

    /// Writes the account as a home keeps it, sealed, and as a command hands it to a node.
    package func write(to writer: inout CBORWriter) {
        writer.array(5)
        writer.unsigned(Self.version)
        writer.text(user)
        if let password {
            var bytes = password.bytes.exposed()
            writer.bytes(bytes)
            wipe(&bytes)
        } else {
            writer.bytes([])
        }
        writer.text(region)
        writer.bytes(authority)
    }

    /// Reads an account.
    package static func read(
        from reader: inout CBORReader
    ) throws(WireError) -> MailboxAccess {
        try reader.array(exactly: 5)
        guard try reader.unsigned() == version else { throw .unexpectedType }
        let user = try reader.text()
        var password = try reader.bytes(max: mostAuthorityBytes)
        defer { wipe(&password) }
        return MailboxAccess(
            user: user,
            password: password.isEmpty ? nil : SharedSecret(SecretBytes(copying: password)),
            region: try reader.text(), authority: try reader.bytes(max: mostAuthorityBytes))
    }
}
