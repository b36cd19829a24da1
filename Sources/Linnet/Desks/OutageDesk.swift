import LinnetMembership
import LinnetWire

/// The desk of the time in which the home's disk takes no writes.
struct OutageDesk: ~Copyable, Desk {
    private var current: Outage?
    private var last: Outage.Ended?

    /// True while the disk takes no writes.
    var isOut: Bool { current != nil }
    /// The error that writers are told meanwhile.
    var reason: LinnetError? { look { $0.reason } }

    var nextDeadline: Int64? { look { $0.next } }

    /// The device's keys, with which the home is opened again; nil outside of an outage.
    func copyOfKeys() -> DeviceKeys? { look { $0.keys.copy() } }

    private func look<Result: ~Copyable>(_ body: (borrowing Outage) -> Result) -> Result? {
        switch current {
        case .some(let outage): body(outage)
        case .none: nil
        }
    }

    /// Begins an outage at an uptime in milliseconds.
    mutating func begin(_ reason: LinnetError, keys: consuming DeviceKeys, at now: Int64) {
        current = Outage(reason, keys: keys, after: last, at: now)
    }

    /// Returns true when the last try is long enough ago.
    func mayTry(at now: Int64) -> Bool { look { $0.mayTry(at: now) } ?? false }

    /// Notes that another try was made in vain.
    mutating func tried(at now: Int64) { current?.tried(at: now) }

    /// Notes that the disk takes writes again.
    mutating func recovered(at now: Int64) {
        last = Outage.Ended(tries: look { $0.tries } ?? 0, at: now)
        current = nil
    }

    /// Ends the outage, since nobody asks any more whether the disk takes writes.
    mutating func dismiss() { current = nil }

    /// Returns true when the disk is to be tried now; the next deadline is set with the outcome of
    /// the try.
    func fire(at now: Moment) -> Bool {
        guard let nextDeadline else { return false }
        return nextDeadline <= now.uptimeMilliseconds
    }
}
