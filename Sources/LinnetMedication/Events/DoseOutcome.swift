/// The outcome that the events of one dose amount to.
package enum DoseOutcome: Equatable, Sendable {
    /// Nothing that stands was recorded.
    case open
    /// It was put off at this instant, by `DoseStatus.snoozeMilliseconds`.
    case snoozed(at: Instant)
    /// It was left out on purpose.
    case skipped(at: Instant)
    /// It was taken, at this instant by the earliest of those who saw it.
    case taken(at: Instant)
}

/// The status of a dose at a given time: a view, never stored.
public enum DoseStatus: Equatable, Sendable {
    /// It comes later.
    case upcoming
    /// It is time, and nothing was recorded yet.
    case due
    /// It was put off until this instant.
    case snoozed(until: Instant)
    /// It was left out on purpose.
    case skipped(at: Instant)
    /// It was taken.
    case taken(at: Instant, isLate: Bool)
    /// Nothing was recorded in time.
    case missed
    /// Its time has come, and the events that would say what became of it are not held here.
    case unknown

    /// A dose that is taken later than this after its time is late: 60 minutes.
    public static let lateMilliseconds: Int64 = 3_600_000
    /// A dose of which nothing is recorded is missed so long after its time: 15 minutes.
    public static let missedMilliseconds: Int64 = 900_000
    /// The time for which a dose is put off: 10 minutes.
    public static let snoozeMilliseconds: Int64 = 600_000

    /// The status of a dose; one that was put off is missed counting from the end of that.
    package init(_ outcome: DoseOutcome, scheduled: Instant, now: Instant) {
        var deadline = scheduled.advanced(byMilliseconds: DoseStatus.missedMilliseconds)
        switch outcome {
        case .taken(let at):
            let isLate = at.milliseconds(since: scheduled) > DoseStatus.lateMilliseconds
            self = .taken(at: at, isLate: isLate)
            return
        case .skipped(let at):
            self = .skipped(at: at)
            return
        case .snoozed(let at):
            let until = at.advanced(byMilliseconds: DoseStatus.snoozeMilliseconds)
            deadline = max(
                deadline, until.advanced(byMilliseconds: DoseStatus.missedMilliseconds))
            if now < until {
                self = .snoozed(until: until)
                return
            }
        case .open: break
        }
        self = now < scheduled ? .upcoming : now < deadline ? .due : .missed
    }

    /// True when it was taken.
    public var isTaken: Bool { if case .taken = self { true } else { false } }

    /// True when it was taken late.
    public var isLate: Bool { if case .taken(_, let isLate) = self { isLate } else { false } }

    /// True when it was left out on purpose.
    public var isSkipped: Bool { if case .skipped = self { true } else { false } }

    /// True when the passing of time changes nothing about it any more.
    public var isSettled: Bool {
        switch self {
        case .taken, .skipped, .missed: true
        case .upcoming, .due, .snoozed, .unknown: false
        }
    }

    /// The word for it.
    public var word: String {
        switch self {
        case .upcoming: "upcoming"
        case .due: "due"
        case .snoozed: "snoozed"
        case .skipped: "skipped"
        case .taken(_, let isLate): isLate ? "late" : "taken"
        case .missed: "missed"
        case .unknown: "not known"
        }
    }
}
