import LinnetWire

/// A part of the node that owns its state and its deadlines.
///
/// The node keeps one list of the desks that wait, sets its timer to the earliest deadline, and
/// asks each of them what has fallen due.
protocol Desk: ~Copyable {
    /// The work of the node when a deadline has passed.
    associatedtype Due

    /// The time at which the desk is asked next, in uptime milliseconds; nil while it waits for
    /// nothing.
    var nextDeadline: Int64? { get }

    /// Returns the work that has fallen due at `now`; none when it is asked too early.
    mutating func fire(at now: Moment) -> Due
}
