public import LinnetCRDT

/// The rate at which the doses of a period were taken, as far as this device knows.
public struct Adherence: Equatable, Sendable {
    /// Doses that were due and of which is known what became.
    public var total: Int { count.total }
    /// Of these, taken.
    public var taken: Int { count.taken }
    /// Of these, missed.
    public var missed: Int { count.missed }
    /// Of these, skipped.
    public var skipped: Int { count.skipped }
    /// Of those taken, late.
    public var late: Int { count.late }
    /// All these numbers.
    package private(set) var count = DayCount()
    /// From this day on all is known; nil when all of the period is.
    public fileprivate(set) var knownSince: Day?
    /// The number of days of the period that are known from monthly totals alone.
    public fileprivate(set) var totalDays = 0
    /// Days in a row on which every due dose was taken; 0 unless a book counted them.
    public fileprivate(set) var streak = Streak()

    /// Counts the doses of a list that a schedule made due; the streak stays 0.
    public init(_ lines: some Sequence<DoseLine>) {
        for line in lines where line.isScheduled && line.status.isSettled {
            count.add(line.status)
        }
    }

    fileprivate mutating func add(_ day: DayCount) { count = count + day }

    /// Taken of those due in thousandths, rounded down; nil when none was due, or none is known.
    public var rateThousandths: Int? { total == 0 ? nil : taken * 1_000 / total }
}

/// Days in a row, up to the last one that is decided, on which every due dose was taken; days
/// without doses count for nothing.
public struct Streak: Equatable, Sendable {
    /// The number of days; at most `longestDays`.
    public var days = 0
    /// True when it is known that there are no more days; false where what came before is not known
    /// here.
    public var isWhole = true

    /// The number of days that a streak is followed back.
    public static let longestDays: Int64 = 366

    /// A streak.
    public init(days: Int = 0, isWhole: Bool = true) {
        self.days = days
        self.isWhole = isWhole
    }
}

/// The progress of a day.
public struct DayProgress: Equatable, Sendable {
    /// Doses of the day that were taken.
    public let taken: Int
    /// Doses that the whole day makes due.
    public let due: Int
    /// Of these, those of which this device does not hold what became of them.
    public let notKnown: Int

    /// Counts the doses of a day that a schedule made due.
    public init(_ lines: some Sequence<DoseLine>) {
        var (taken, due, notKnown) = (0, 0, 0)
        for line in lines where line.isScheduled {
            due += 1
            if line.status.isTaken { taken += 1 }
            if line.status == .unknown { notKnown += 1 }
        }
        self.taken = taken
        self.due = due
        self.notKnown = notKnown
    }
}

extension MedicationBook {
    /// The adherence over days of a zone, the last one included, as known at `now`; of all
    /// medications unless one is named.
    ///
    /// Days whose events are not held here are counted by the monthly totals; `knownSince` says
    /// from when on nothing is left out.
    public func adherence(
        over days: ClosedRange<Day>, now: Instant, zone: ZoneRules, zones: ZoneTable,
        of medication: RecordID? = nil
    ) throws(MedicationError) -> Adherence {
        let range =
            zone.start(
                of: days.lowerBound)..<zone.start(
                of: days.upperBound.advanced(byDays: 1))
        let lines = try lines(in: range, now: now, zones: zones).filter {
            medication == nil || $0.medication == medication
        }
        var adherence = Adherence(try held(lines, now: now, zones: zones))
        if !coverage.isEverything {
            var day = days.upperBound
            var isKnown = true
            while day >= days.lowerBound {
                if !coverage.knows(day, now: now) {
                    let count = counted(on: day, of: medication)
                    if let count {
                        adherence.add(count)
                        adherence.totalDays += 1
                    } else if isKnown, !isBeforeAll(day) {
                        isKnown = false
                        adherence.knownSince = day.advanced(byDays: 1)
                    }
                }
                day = day.advanced(byDays: -1)
            }
        }
        adherence.streak = try streak(now: now, zone: zone, zones: zones)
        return adherence
    }

    /// The days in a row, up to today, on which every due dose was taken. Today counts once a dose
    /// of it was taken, and ends the streak only by a dose that was not.
    public func streak(
        now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> Streak {
        var streak = 0
        var day = zone.local(at: now).day
        let first = day.advanced(byDays: 1 - Streak.longestDays)
        // A few days at a time: most streaks are short.
        var chunk: Int64 = 4
        while day >= first {
            let oldest = max(first, day.advanced(byDays: 1 - chunk))
            chunk = 32
            let range = zone.start(of: oldest)..<zone.start(of: day.advanced(byDays: 1))
            let all = try lines(in: range, now: now, zones: zones)
            var lines = try held(all, now: now, zones: zones)[...]
            while day >= oldest {
                let start = zone.start(of: day)
                let count = lines.reversed().prefix { $0.scheduled >= start }.count
                var summary = Adherence(lines.suffix(count))
                lines = lines.dropLast(count)
                if !coverage.knows(day, now: now) {
                    if isBeforeAll(day) { return Streak(days: streak) }
                    guard let count = counted(on: day) else {
                        return Streak(days: streak, isWhole: false)
                    }
                    summary.add(count)
                }
                if summary.taken < summary.total { return Streak(days: streak) }
                if summary.taken > 0 { streak += 1 }
                day = day.advanced(byDays: -1)
            }
        }
        return Streak(days: streak)
    }

    /// Of a list, the doses of days whose events are held here; the totals speak for the others.
    private func held(
        _ lines: [DoseLine], now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> [DoseLine] {
        if coverage.isEverything { return lines }
        var held: [DoseLine] = []
        for line in lines {
            if coverage.knows(try homeDay(of: line, zones: zones), now: now) { held.append(line) }
        }
        return held
    }

    /// Returns the count that the total of its month has for a day; nil when none was left here.
    private func counted(on day: Day, of medication: RecordID? = nil) -> DayCount? {
        totals[Month(of: day)]?.count(on: day, of: medication)
    }

    /// Returns true when a total says that no dose was due on a day or before it.
    private func isBeforeAll(_ day: Day) -> Bool {
        guard let beginning = totals.last?.value.beginning else { return false }
        return day < beginning
    }
}

extension ZoneRules {
    /// Returns the instant at which a day begins; of a day that the zone leaves out, that at which
    /// the next one does.
    public func start(of day: Day) -> Instant {
        var day = day
        for _ in 0..<3 {
            if let instant = instant(day: day, hour: 0, minute: 0) { return instant }
            day = day.advanced(byDays: 1)
        }
        return Instant(milliseconds: day.number &* CivilTime.dayMilliseconds)
    }
}
