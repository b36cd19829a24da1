import LinnetWire

/// A part of the node that owns its state and what it waits for.
///
/// The node keeps one list of those who wait, sets its timer to the earliest deadline, and asks each
/// of them what has fallen due.
protocol Desk: ~Copyable {
    /// Names what the node is to do when a deadline has passed.
    associatedtype Due

    /// The time at which the desk is asked next, in uptime milliseconds; nil while it waits for
    /// nothing.
    var nextDeadline: Int64? { get }

    /// Tells what has fallen due at `now`; nothing when it is asked too early.
    mutating func fire(at now: Moment) -> Due
}
