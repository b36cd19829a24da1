import LinnetCrypto
package import LinnetSystem

/// The account of this device with a store over HTTP, and whom the store's certificate has to come
/// from. It cannot be printed or compared.
public struct MailboxCredentials: Sendable {
    /// The account as stores take it.
    package let access: MailboxAccess

    /// Wraps an account that came from a command.
    package init(access: MailboxAccess) { self.access = access }

    /// Joins a name and its password.
    ///
    /// - Parameters:
    ///   - user: the name, or the identifier of an access key of S3; at most 256 bytes.
    ///   - password: the password, or the secret of the access key.
    ///   - region: the region of S3; it means nothing to WebDAV.
    ///   - authority: certificates in PEM, of which one has to stand behind that of the store, at
    ///     most 64 KiB; nil for the authorities that the system trusts.
    public init(
        user: String, password: Passphrase, region: String = "us-east-1", authority: [UInt8]? = nil
    ) {
        access = MailboxAccess(
            user: user, password: password.secret, region: region, authority: authority ?? [])
    }

    /// Names nobody: for a store of WebDAV that asks for no account, or is let in otherwise.
    ///
    /// - Parameter authority: as above.
    public init(authority: [UInt8]) {
        access = MailboxAccess(
            user: "", password: nil, region: MailboxAccess.usualRegion, authority: authority)
    }
}

extension MailboxCredentials: CustomStringConvertible, CustomReflectable {
    /// Nothing that is secret.
    public var description: String { "MailboxCredentials" }

    /// Shows no part.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
