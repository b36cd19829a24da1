/// A store of objects behind a mailbox: it knows names and bytes. Its calls block, so that they are
/// made on a thread of their own. Nothing that it promises is relied on.
package protocol Mailbox: Sendable {
    /// Puts an object whole, over one of the same name.
    ///
    /// - Parameters:
    ///   - bytes: at most 4 MiB.
    ///   - name: a letter, a slash, and 26 characters of `a` to `z` and `2` to `7`.
    func put(_ bytes: [UInt8], _ name: String) throws(MailboxError)
    /// Returns an object whole; nil where the store shows none, or one longer than `limit` bytes.
    func get(_ name: String, upTo limit: Int) throws(MailboxError) -> [UInt8]?
    /// Returns the names that begin with a letter and a slash, strange ones too, at most `limit`.
    func list(_ letter: String, upTo limit: Int) throws(MailboxError) -> [String]
    /// Deletes an object; nothing happens where there is none.
    func delete(_ name: String) throws(MailboxError)
    /// Returns what went over the network since this was asked last.
    func takeTraffic() -> StoreTraffic
    /// The one who can be asked to wait for news; nil where the store has none.
    var newsTeller: (any NewsTeller)? { get }
}

/// A store that says when something was put. A word of it is a hint, as a listing is.
package protocol NewsTeller: Sendable {
    /// Waits until somebody else put something, or for about a minute, and returns the number of
    /// the last change.
    ///
    /// - Parameters:
    ///   - number: the number that was told last; nil to be told it at once.
    ///   - stop: ends the wait within a second or two when it is raised.
    func news(
        since number: UInt64?, until stop: StopFlag
    ) throws(MailboxError) -> UInt64
}

/// The requests over a network, and the bytes of what they carried both ways.
package struct StoreTraffic: Equatable, Sendable {
    /// The requests that were made, answered or not.
    package var requests = 0
    /// The bytes of the bodies of requests and answers.
    package var bytes = 0

    /// Begins with nothing.
    package init() {}
}

extension Mailbox {
    /// Nothing: a folder is on this machine.
    package func takeTraffic() -> StoreTraffic { StoreTraffic() }

    /// Nobody: most stores are silent.
    package var newsTeller: (any NewsTeller)? { nil }
}

/// The name of an object, taken apart: only one that leads to an object of the store is taken.
package struct ObjectName: Equatable, Sendable {
    private static let restBytes = 26

    /// The letter before the slash.
    package let letter: String
    /// The characters behind it.
    package let rest: String

    /// Takes a name apart, and throws where it is not the name of an object.
    package init(_ name: String) throws(MailboxError) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isRight =
            parts.count == 2 && parts[0].utf8.count == 1 && parts[1].utf8.count == Self.restBytes
            && parts.allSatisfy { $0.utf8.allSatisfy(Self.isLetter) }
        guard isRight else { throw .refused("\"\(name)\" is not the name of an object") }
        (letter, rest) = (parts[0], parts[1])
    }

    /// True for what names are made of: the characters of base 32.
    package static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x32...0x37).contains(byte)
    }
}
