/// The rights of a member.
package enum Role: UInt8, CaseIterable, Sendable {
    /// Reads, writes and admits others.
    case admin = 0
    /// Reads and writes.
    case member = 1
    /// Stores and forwards what it cannot read.
    case relay = 2

    /// True when the role holds data keys.
    package var reads: Bool { self != .relay }

    /// Bytes of a box of epoch keys for this role.
    package var boxBytes: Int { reads ? 112 : 80 }
}
