/// The name of one scheduled call.
package struct TimerID: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// The few scheduled calls of a loop: a list is faster than a heap at this size.
struct TimerTable {
    private struct Entry {
        var deadline: Int64
        var number: UInt64
        var action: @Sendable () -> Void
    }

    private var entries: [Entry] = []
    /// The number of the timer added last.
    private(set) var newest: UInt64 = 0

    /// The first deadline, in uptime milliseconds.
    var earliest: Int64? { entries.map(\.deadline).min() }

    mutating func add(at deadline: Int64, _ action: @escaping @Sendable () -> Void) -> TimerID {
        newest += 1
        entries.append(Entry(deadline: deadline, number: newest, action: action))
        return TimerID(number: newest)
    }

    mutating func remove(_ timer: TimerID) {
        entries.removeAll { $0.number == timer.number }
    }

    /// Removes and returns the earliest action that is due and not newer than `bound`.
    mutating func takeDue(at now: Int64, upTo bound: UInt64) -> (@Sendable () -> Void)? {
        let due = entries.indices.filter {
            entries[$0].deadline <= now && entries[$0].number <= bound
        }
        guard let first = due.min(by: { entries[$0].deadline < entries[$1].deadline }) else {
            return nil
        }
        return entries.remove(at: first).action
    }
}
