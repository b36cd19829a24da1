import LinnetWire

/// The one clock of a replica, which follows the wall clock and does not go back, unless the wall
/// clock was far ahead and was set back.
///
/// The algorithm is that of Kulkarni et al., "Logical Physical Clocks", 2014, with one integer for
/// both parts. No input is an error: neither a local write nor a remote batch is refused because a
/// clock is wrong.
package struct HybridLogicalClock: Equatable, Sendable {
    /// The last timestamp given out or followed; stored with every commit.
    package private(set) var last: Timestamp

    /// Makes a clock that continues after a stored timestamp.
    package init(last: Timestamp = .zero) {
        self.last = last
    }

    /// Returns the timestamp of a new local event; at the ceiling the ceiling is given out again.
    package mutating func tick(wallMilliseconds: Int64) -> Timestamp {
        last = max(Timestamp(wallMilliseconds: wallMilliseconds), last.next)
        return last
    }

    /// Follows a received timestamp, at most `Limits.clockClampMilliseconds` past the wall clock.
    package mutating func observe(_ remote: Timestamp, wallMilliseconds: Int64) {
        last = max(last, min(remote, Self.furthest(from: wallMilliseconds)))
    }

    /// Goes back to the wall clock where it is further ahead of it than a received timestamp may
    /// take it: then the wall clock itself was ahead, and was set back. Returns true if it did.
    ///
    /// The caller has reason to believe the wall clock. Overwrites stay above what they replace,
    /// since they look at that.
    @discardableResult
    package mutating func heal(wallMilliseconds: Int64) -> Bool {
        guard last > Self.furthest(from: wallMilliseconds) else { return false }
        last = Timestamp(wallMilliseconds: wallMilliseconds)
        return true
    }

    /// Returns true when a stamp lies further ahead of the wall clock than clocks that are right
    /// may differ, so that its time is not believed.
    package static func isAhead(_ stamp: Timestamp, of wallMilliseconds: Int64) -> Bool {
        stamp > furthest(from: wallMilliseconds)
    }

    private static func furthest(from wallMilliseconds: Int64) -> Timestamp {
        let (ahead, overflow) = wallMilliseconds.addingReportingOverflow(
            Limits.clockClampMilliseconds)
        return Timestamp(wallMilliseconds: overflow ? .max : ahead)
    }

    /// The timestamp of an overwrite at `now`: above the visible one, so that it always wins.
    ///
    /// At the ceiling both are equal and the position decides. The result never enters `last`.
    package static func overwrite(visible: Timestamp?, now: Timestamp) -> Timestamp {
        guard let visible else { return now }
        return max(now, visible.next)
    }
}
