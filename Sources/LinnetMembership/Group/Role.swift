/// The rights of a device of the group.
package enum Role: UInt8, CaseIterable, Sendable {
    /// Reads, writes, admits and removes others.
    case admin = 0
    /// Reads and writes.
    case member = 1
    /// Stores and forwards what it cannot read.
    case relay = 2
    /// Reads and writes nothing.
    case reader = 3

    private static let ascending: [Role] = [.relay, .reader, .member, .admin]

    /// Higher roles may do more.
    var height: Int { Self.ascending.firstIndex(of: self) ?? 0 }

    /// True when the role holds data keys.
    package var reads: Bool { self != .relay }

    /// True when what a device of this role writes counts.
    package var writes: Bool { height >= Role.member.height }

    /// Bytes of a box of epoch keys for this role, where no scopes bind it.
    package var boxBytes: Int { reads ? 112 : 80 }
}
