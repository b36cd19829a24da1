import LinnetCRDT

/// How well the doses of a period were taken.
package struct Adherence: Equatable, Sendable {
    /// Doses that were due and of which is known what became.
    package var total = 0
    /// Of these, taken.
    package var taken = 0
    /// Of these, missed.
    package var missed = 0
    /// Of these, skipped.
    package var skipped = 0
    /// Of those taken, late.
    package var late = 0
    /// Days in a row, up to the last one that is decided, on which every due dose was taken; days
    /// without doses count for nothing. At most `longestStreakDays`.
    package var streakDays = 0

    /// How many days a streak is followed back.
    package static let longestStreakDays: Int64 = 366

    /// Counts the doses of a list that a schedule made due; the streak stays 0.
    package init(_ lines: some Sequence<DoseLine>) {
        for line in lines where line.isScheduled && line.status.isSettled {
            total += 1
            switch line.status {
            case .taken(_, let isLate):
                taken += 1
                if isLate { late += 1 }
            case .skipped: skipped += 1
            default: missed += 1
            }
        }
    }

    /// Taken of those due in thousandths, rounded down; nil when none was due.
    package var rateThousandths: Int? { total == 0 ? nil : taken * 1_000 / total }
}

/// How far a day has come.
package struct DayProgress: Equatable, Sendable {
    /// Doses of the day that were taken.
    package let taken: Int
    /// Doses that the whole day makes due.
    package let due: Int

    /// Counts the doses of a day that a schedule made due.
    package init(_ lines: some Sequence<DoseLine>) {
        var (taken, due) = (0, 0)
        for line in lines where line.isScheduled {
            due += 1
            if line.status.isTaken { taken += 1 }
        }
        self.taken = taken
        self.due = due
    }
}

extension MedicationBook {
    /// The adherence over days of a zone, the last one included, as known at `now`.
    package func adherence(
        over days: ClosedRange<Day>, now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> Adherence {
        let range =
            zone.start(
                of: days.lowerBound)..<zone.start(
                of: days.upperBound.advanced(byDays: 1))
        var adherence = Adherence(try lines(in: range, now: now, zones: zones))
        adherence.streakDays = try streak(now: now, zone: zone, zones: zones)
        return adherence
    }

    /// The days in a row, up to today, on which every due dose was taken. Today counts once a dose
    /// of it was taken, and ends the streak only by a dose that was not.
    package func streak(
        now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> Int {
        let today = zone.local(at: now).day
        var streak = 0
        var day = today
        let first = today.advanced(byDays: 1 - Adherence.longestStreakDays)
        // A few days at a time: most streaks are short.
        var chunk: Int64 = 4
        while day >= first {
            let oldest = max(first, day.advanced(byDays: 1 - chunk))
            chunk = 32
            let range = zone.start(of: oldest)..<zone.start(of: day.advanced(byDays: 1))
            var lines = try lines(in: range, now: now, zones: zones)[...]
            while day >= oldest {
                let start = zone.start(of: day)
                let count = lines.reversed().prefix { $0.scheduled >= start }.count
                let summary = Adherence(lines.suffix(count))
                lines = lines.dropLast(count)
                if summary.taken < summary.total { return streak }
                if summary.taken > 0 { streak += 1 }
                day = day.advanced(byDays: -1)
            }
        }
        return streak
    }
}

extension ZoneRules {
    /// When a day begins; of a day that the zone leaves out, when the next one does.
    package func start(of day: Day) -> Instant {
        var day = day
        for _ in 0..<3 {
            if let instant = instant(day: day, hour: 0, minute: 0) { return instant }
            day = day.advanced(byDays: 1)
        }
        return Instant(milliseconds: day.number &* CivilTime.dayMilliseconds)
    }
}
