/// The place at which one timing of a schedule ends and another one begins, so that each dose that
/// was due by the old one has just one in its place.
struct HandOver: Equatable, Sendable {
    /// From here on nothing is due by the old timing.
    let until: Instant
    /// The first dose of the new timing, or `until` when there is none.
    let since: Instant

    /// The minutes before and after the change in which doses are looked for.
    private static let reachMinutes: Int64 = 35 * 1_440

    /// The change at `instant` from a schedule to its successor; nil when no dose is left.
    ///
    /// The new timing's next dose stands for the old one's next, if it lies between the middles of
    /// the gaps before and after that and within one and a half of the longest usual gap; else the
    /// old one's next dose stays, and the new timing begins behind the middle of the gap after it.
    init?(
        from old: Schedule, to new: Schedule, at instant: Instant, zones: ZoneTable
    ) throws(MedicationError) {
        let first = instant.advanced(byMinutes: -HandOver.reachMinutes)
        let range = first..<instant.advanced(byMinutes: 2 * HandOver.reachMinutes)
        let due = try old.occurrences(in: range, zones: zones).map(\.scheduled)
        let offered = try new.occurrences(in: range, zones: zones).map(\.scheduled)
        guard let place = due.firstIndex(where: { $0 >= instant }) else { return nil }
        let next = due[place]
        guard place > 0 else {
            until = instant
            since = offered.first { $0 >= instant } ?? instant
            return
        }
        guard let usual = UsualGaps(old.timing) else { return nil }
        let last = due[place - 1]
        let following = place + 1 < due.count ? due[place + 1] : nil
        var middleBefore = usual.middle(after: last, before: next)
        let middleAfter = usual.middle(after: next, before: following)
        if new.timing.times.count != old.timing.times.count, let gaps = UsualGaps(new.timing) {
            middleBefore = min(
                middleBefore, last.advanced(byMinutes: gaps.shortestMinutes / 2))
        }
        let end = min(middleAfter, last.advanced(byMinutes: usual.longestMinutes * 3 / 2))
        if let first = offered.first(where: { $0 >= max(instant, middleBefore) }),
            first < end
        {
            until = instant
            since = first
        } else {
            until = next.advanced(byMilliseconds: 1)
            since = offered.first { $0 >= middleAfter } ?? until
        }
    }

    /// A change that leaves every dose where it is.
    init(keeping schedule: Schedule, at instant: Instant) {
        let pending = schedule.earlier.last?.until ?? instant
        until = max(instant, pending)
        since = max(until, schedule.timing.since ?? until)
    }
}

extension UsualGaps {
    /// The middle of a gap; half a usual one behind its beginning where an earlier change of
    /// timing has stretched or shortened it, or it has no end.
    fileprivate func middle(after earlier: Instant, before later: Instant?) -> Instant {
        let half = later.map { $0.milliseconds(since: earlier) / 2 } ?? .max
        return earlier.advanced(
            byMilliseconds: min(max(half, shortestMinutes * 30_000), longestMinutes * 30_000))
    }
}
