import LinnetCRDT

/// The doses of one timing of a schedule.
struct DoseSeries {
    let schedule: Schedule
    let timing: Timing

    /// The doses within a range, ascending.
    mutating func occurrences(
        in range: Range<Instant>, zones: ZoneTable
    ) throws(MedicationError) -> [Occurrence] {
        switch timing.pattern {
        case .asNeeded:
            return []
        case .interval(let hours, let anchor):
            let zone = try zones.zone(named: timing.referenceZone)
            return interval(milliseconds: Int64(hours) * 3_600_000, anchor: anchor, range)
                .filter { isWithinDays(zone.local(at: $0).day) }
                .map { occurrence(at: $0, label: "") }
        case .times(let times):
            let zone = try zones.zone(named: timing.referenceZone)
            return daily(times, in: range, zone: zone)
        }
    }

    private func daily(
        _ times: [DoseTime], in range: Range<Instant>, zone: ZoneRules
    ) -> [Occurrence] {
        // A shift moves doses by half a day at most, a gap by a day; a dose pushed by one before
        // it may be pushed by the day before.
        let first = zone.local(at: range.lowerBound).day.advanced(byDays: -3)
        let last = zone.local(at: range.upperBound).day.advanced(byDays: 2)
        var search = ZoneSearch(rules: zone)
        var found: [Occurrence] = []
        var previous = Instant(milliseconds: .min)
        for number in first.number...max(first.number, last.number) {
            let day = Day(number: number)
            guard timing.daysOfWeek.includes(day.weekday), isWithinDays(day) else { continue }
            let displacement = timing.shift?.displacementMinutes(on: day) ?? 0
            for time in times {
                guard
                    let wanted = search.instant(day: day, hour: time.hour, minute: time.minute)
                else { continue }
                // Two doses of an hour that the zone skips stay two.
                let due = max(
                    wanted.advanced(byMinutes: Int64(displacement)),
                    previous.advanced(byMinutes: 1))
                previous = due
                if range.contains(due) { found.append(occurrence(at: due, label: time.label)) }
            }
        }
        return found
    }

    /// Every multiple of an interval after its anchor that lies within a range.
    private func interval(
        milliseconds: Int64, anchor: Instant, _ range: Range<Instant>
    ) -> [Instant] {
        let lower = max(range.lowerBound, anchor)
        let behind = lower.milliseconds(since: anchor)
        let rest = CivilTime.floorRemainder(behind, by: milliseconds)
        var next = rest == 0 ? lower : lower.advanced(byMilliseconds: milliseconds - rest)
        var found: [Instant] = []
        while next < range.upperBound {
            found.append(next)
            next = next.advanced(byMilliseconds: milliseconds)
        }
        return found
    }

    private func isWithinDays(_ day: Day) -> Bool {
        day >= schedule.startDay ?? day && day <= schedule.endDay ?? day
    }

    private func occurrence(at instant: Instant, label: String) -> Occurrence {
        Occurrence(
            schedule: schedule.id, medication: schedule.medication, scheduled: instant,
            label: label)
    }
}
