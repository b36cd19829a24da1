package import LinnetWire

/// A kind of object in a mailbox.
package enum MailKind: UInt8, CaseIterable, Sendable {
    /// One device's head: the news, and small changes.
    case head = 0x68
    /// Membership records, which lead from one epoch to the next.
    case bridge = 0x6d
    /// The network key of an epoch, sealed to the group's recovery key.
    case door = 0x64
    /// Batches as their authors signed them.
    case pack = 0x70

    /// The letter that stands before names of this kind.
    package var letter: String { String(UnicodeScalar(rawValue)) }

    /// The most bytes of a sealed object of this kind.
    package var mostBytes: Int {
        switch self {
        case .head: Limits.mailHeadBytes
        case .door: Limits.mailDoorBytes
        case .bridge, .pack: Limits.mailObjectBytes
        }
    }
}

/// The name of an object in a mailbox: its kind, and a keyed hash of its sealed bytes.
package struct MailName: Hashable, Comparable, Sendable {
    private static let characters = 26

    /// The kind.
    package let kind: MailKind
    /// The keyed hash.
    package let hash: Bytes16

    /// Joins both.
    package init(_ kind: MailKind, _ hash: Bytes16) { (self.kind, self.hash) = (kind, hash) }

    /// Reads the name of an object, `h/`, `m/`, `d/` or `p/` and 26 lower-case characters of base
    /// 32; nil for everything else that may lie in a store.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == Self.characters,
            let kind = MailKind.allCases.first(where: { $0.letter == parts[0] }),
            let bytes = TextAlphabet.base32.decode(String(parts[1])),
            let hash = Bytes16(bytes), TextAlphabet.base32.encode(bytes) == parts[1]
        else { return nil }
        self.init(kind, hash)
    }

    /// The name as a store has it.
    package var text: String { "\(kind.letter)/\(TextAlphabet.base32.encode(hash.array))" }

    /// Orders by kind, then by hash.
    package static func < (left: MailName, right: MailName) -> Bool {
        (left.kind.rawValue, left.hash) < (right.kind.rawValue, right.hash)
    }
}

/// An object of a mailbox: its name and its sealed bytes.
package struct MailObject: Equatable, Sendable {
    /// The name, which follows from the bytes.
    package let name: MailName
    /// The sealed bytes.
    package let bytes: [UInt8]
}
