/// The addresses of mailboxes.
package enum MailboxAddress {
    private static let folder = "folder:"

    /// Returns the store behind an address: `folder:` and an absolute path, or that of a store
    /// over HTTP, which `access` opens.
    package static func open(
        _ address: String, _ access: MailboxAccess? = nil
    ) throws(MailboxError) -> any Mailbox {
        try refuseSecrets(in: address)
        guard address.hasPrefix(folder) else {
            let place = try StoreAddress(address)
            try access?.check(for: place.kind)
            switch place.kind {
            case .dav: return DAVMailbox(at: place, named: address, access)
            case .s3:
                guard let access, access.password != nil else {
                    throw .badAccount("S3 needs an account: name its key with --user")
                }
                return S3Mailbox(at: place, named: address, access)
            case .relay:
                guard let access, access.password != nil else {
                    throw .badAccount(
                        "a relay needs an account: name it with --user, as 'linnet relay add' made"
                            + " it")
                }
                return RelayMailbox(at: place, named: address, access)
            }
        }
        guard access == nil else {
            throw .badAccount("a folder has no account: leave out --user, --region and --ca")
        }
        let path = String(address.dropFirst(folder.count))
        guard path.hasPrefix("/"), path.utf8.count < 1_024, !path.utf8.contains(0) else {
            throw .badAddress(address)
        }
        return FolderMailbox(at: path)
    }

    /// True for the address of a store that is reached over HTTP.
    package static func isRemote(_ address: String) -> Bool {
        StoreAddress.schemes.contains { address.hasPrefix($0.prefix) }
    }

    /// True for the address of a store that tells when something was put there.
    package static func tellsNews(_ address: String) -> Bool {
        StoreAddress.schemes.contains { $0.kind == .relay && address.hasPrefix($0.prefix) }
    }

    /// Throws where a text that should be an address may hold a password, which nothing repeats.
    package static func refuseSecrets(in address: String) throws(MailboxError) {
        guard !address.hasPrefix(folder), address.utf8.contains(where: { "@?#".utf8.contains($0) })
        else { return }
        guard let scheme = StoreAddress.schemes.first(where: { address.hasPrefix($0.prefix) })
        else { throw .secretInAddress }
        // The path of a store may have the name of an account in it, as Nextcloud's has.
        let authority = address.dropFirst(scheme.prefix.count).prefix { $0 != "/" }
        if authority.contains("@") || address.contains("?") || address.contains("#") {
            throw .secretInAddress
        }
    }
}
