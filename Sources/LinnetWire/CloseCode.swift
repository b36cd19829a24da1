/// The reason for closing a session, as the peer may know it.
package enum CloseCode: UInt16, CaseIterable, Sendable {
    /// Nothing is wrong.
    case normal = 0
    /// The peer has been removed from the group.
    case removed = 1
    /// Another session with the same peer is kept.
    case duplicate = 2
    /// The peer exceeded a limit.
    case quota = 3
    /// The peer sent what its state does not allow.
    case protocolViolation = 4
    /// No common version.
    case version = 5
    /// The device is going away.
    case shutdown = 6
    /// The clocks are too far apart.
    case clock = 7
    /// A person declined.
    case denied = 8
}
