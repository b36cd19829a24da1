/// A store of objects behind a mailbox: it knows names and bytes. Its calls block, so that they are
/// made on a thread of their own. Nothing that it promises is relied on.
package protocol Mailbox: Sendable {
    /// Puts an object whole, over one of the same name.
    ///
    /// - Parameters:
    ///   - bytes: at most 4 MiB.
    ///   - name: a letter, a slash, and characters of `a` to `z` and `2` to `7`.
    func put(_ bytes: [UInt8], _ name: String) throws(MailboxError)
    /// Returns an object whole; nil where the store shows none, or one longer than `limit` bytes.
    func get(_ name: String, upTo limit: Int) throws(MailboxError) -> [UInt8]?
    /// Returns the names that begin with a letter and a slash, strange ones too, at most `limit`.
    func list(_ letter: String, upTo limit: Int) throws(MailboxError) -> [String]
    /// Deletes an object; nothing happens where there is none.
    func delete(_ name: String) throws(MailboxError)
}

/// The reason why a store could not be used; another try may succeed.
package enum MailboxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address is of no kind that is known.
    case badAddress(String)
    /// The folder is not there.
    case absent(path: String)
    /// The system refused a call on the folder or a file in it.
    case refused(String)

    /// A sentence that says what is wrong.
    package var description: String {
        switch self {
        case .badAddress(let address):
            "\"\(address)\" is not the address of a mailbox; write folder:/PATH"
        case .absent(let path): "the folder \(path) is not there"
        case .refused(let reason): reason
        }
    }
}

/// The addresses of mailboxes.
package enum MailboxAddress {
    private static let folder = "folder:"

    /// Returns the store behind an address, `folder:` and an absolute path.
    package static func open(_ address: String) throws(MailboxError) -> any Mailbox {
        guard address.hasPrefix(folder) else { throw .badAddress(address) }
        let path = String(address.dropFirst(folder.count))
        guard path.hasPrefix("/"), path.utf8.count < 1_024, !path.utf8.contains(0) else {
            throw .badAddress(address)
        }
        return FolderMailbox(at: path)
    }
}
