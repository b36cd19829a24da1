import LinnetCRDT
import LinnetWire

/// A total that does not say what the events say that are held here.
package struct TotalDisagreement: Equatable, Sendable {
    /// The month.
    package let month: Month
    /// The count of the total, of the days that are known here.
    package let stated: DayCount
    /// The count of the events, of the same days.
    package let held: DayCount
}

extension MedicationBook {
    /// A day is over, in every zone and for whoever logs a dose a day later, so many days after it.
    static let closingDays: Int64 = 2
    /// So many days of a month cannot be told without the month before: they are counted while the
    /// month goes on, for devices that leave that one.
    static let firstDays = 2
    /// Months that totals are left of, at most.
    private static let mostMonths: Int64 = 240

    /// Counts what the events that are held say of a month: a function of the records alone, and of
    /// how far the month is.
    ///
    /// Nil while not even its first days are over, on a device that does not hold all months from
    /// the one before it on (a dose can be logged long after it was due), and where the rules of a
    /// zone are missing.
    package func total(
        of month: Month, now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> MonthTotal? {
        guard let days = daysOver(of: month, now),
            coverage.holds(month.previous...max(month, Month(of: now))),
            missingZones(zones).isEmpty, histories.values.allSatisfy(\.isComplete)
        else { return nil }
        let end = month.first.advanced(byDays: Int64(days))
        return try counted(month, days, now: now, zones: zones) { $0 < end }
    }

    /// The months that totals belong to: from that of the first dose to the last of which days are
    /// over.
    public func totalMonths(now: Instant) -> [Month] {
        // Where a schedule has no beginning, the days before the first event were missed.
        let first =
            beginning.map { Month(of: $0) }
            ?? ledger.firstOccurrence.map { Month(of: $0).previous }
        guard let first else { return [] }
        var month = max(first, Month(of: now).advanced(byMonths: -Self.mostMonths))
        var months: [Month] = []
        while daysOver(of: month, now) != nil {
            months.append(month)
            month = month.next
        }
        return months
    }

    /// The totals that say something else than the events held here, by month.
    package func disagreements(
        now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> [TotalDisagreement] {
        guard missingZones(zones).isEmpty else { return [] }
        var found: [TotalDisagreement] = []
        for total in totals.values {
            let isKnown = { (day: Day) in
                total.covers(day) && self.coverage.knows(day, now: now)
            }
            let last = total.month.first.advanced(byDays: Int64(total.days) - 1)
            guard isKnown(last) || isKnown(total.month.first) else { continue }
            let stated = total.restricted(to: isKnown)
            let held = try counted(total.month, total.days, now: now, zones: zones, isKnown)
            guard !stated.agrees(with: held) else { continue }
            found.append(
                TotalDisagreement(month: total.month, stated: stated.sum, held: held.sum))
        }
        return found
    }

    /// Returns the number of days of a month that are to be counted by now; nil for none.
    private func daysOver(of month: Month, _ now: Instant) -> Int? {
        func isOver(_ day: Day) -> Bool {
            let end = (day.number + 1 + Self.closingDays) * CivilTime.dayMilliseconds
            return end <= now.milliseconds
        }
        if isOver(month.last) { return month.dayCount }
        return isOver(month.first.advanced(byDays: Int64(Self.firstDays) - 1))
            ? Self.firstDays : nil
    }

    private func counted(
        _ month: Month, _ days: Int, now: Instant, zones: ZoneTable, _ isWanted: (Day) -> Bool
    ) throws(MedicationError) -> MonthTotal {
        let day = CivilTime.dayMilliseconds
        let range =
            month.start.advanced(
                byMilliseconds: -day)..<month.next.start.advanced(byMilliseconds: day)
        var counts = OrderedTable<RecordID, [DayCount]>()
        var events = 0
        for line in try lines(in: range, now: now, zones: zones)
        where line.isScheduled && line.status.isSettled {
            let home = try homeDay(of: line, zones: zones)
            guard Month(of: home) == month, isWanted(home) else { continue }
            let none = Array(repeating: DayCount(), count: days)
            counts[line.medication, default: none][Int(home.number - month.first.number)]
                .add(line.status)
            events += ledger.dose(line.key)?.eventCount ?? 0
        }
        return MonthTotal(
            month: month, days: days, events: events, beginning: beginning, counts: counts)
    }

    /// The day of a dose on the clocks that its schedule lived by; of one without a known schedule
    /// in UTC.
    func homeDay(of line: DoseLine, zones: ZoneTable) throws(MedicationError) -> Day {
        if case .occurrence(let id, let scheduled) = line.key, let schedule = schedules[id] {
            let name = schedule.referenceZone(at: scheduled)
            if zones.contains(name) {
                return try zones.zone(named: name).local(at: scheduled).day
            }
        }
        return Day(
            number: CivilTime.floorDivision(
                line.scheduled.milliseconds, by: CivilTime.dayMilliseconds))
    }

    /// The day before which no schedule made a dose due; nil when one has no beginning.
    private var beginning: Day? {
        var first: Day?
        for schedule in schedules.values {
            let timing = schedule.earlier.first?.timing ?? schedule.timing
            let days = [
                timing.since.map { Month.day(of: $0) }, schedule.startDay,
                medication(schedule.medication)?.startDay,
            ].compactMap { $0 }
            guard let own = days.max() else { return nil }
            first = min(first ?? own, own)
        }
        return first
    }
}

extension Dose {
    /// The number of events that say what became of it.
    fileprivate var eventCount: Int {
        taken.count + skipped.count + snoozed.count + undone.count + cancelled.count + unknown.count
    }
}

extension Month {
    /// A day that is not after that of an instant in any zone.
    fileprivate static func day(of instant: Instant) -> Day {
        Day(number: CivilTime.floorDivision(instant.milliseconds, by: CivilTime.dayMilliseconds))
            .advanced(byDays: -1)
    }
}
