import LinnetCRDT

/// Works out what strategies would make of a schedule.
struct TravelOptionMaker {
    let schedule: Schedule
    let change: ZoneChange
    let effective: Instant
    let zones: ZoneTable
    let days: Int

    /// Returns what a strategy would make of the schedule; nil when no dose is left.
    func option(_ strategy: TravelStrategy) throws(MedicationError) -> TravelOption? {
        guard case .gradualShift(let minutes) = strategy else {
            return try option(strategy, try timing(strategy))
        }
        // A day on which only some doses move would move the others by two steps the day after: the
        // shift begins with the first dose of a day whose step can still be taken.
        for later: Int64 in 0...1 {
            let wanted = try shifting(minutesPerDay: minutes, beginningLater: later)
            let isFirst = wanted.shift == nil ? true : try isSeamless(wanted, later: later)
            if isFirst { return try option(strategy, wanted) }
        }
        return try option(
            strategy, try shifting(minutesPerDay: minutes, beginningLater: 2))
    }

    /// Returns what a timing would make of the schedule, in place of its own; nil when no dose is
    /// left.
    func option(
        _ strategy: TravelStrategy, _ wanted: Timing
    ) throws(MedicationError) -> TravelOption? {
        let handOver: HandOver?
        if wanted == schedule.timing {
            handOver = HandOver(keeping: schedule, at: effective)
        } else {
            handOver = try HandOver(
                from: schedule, to: schedule.replacing(timing: wanted, earlier: []),
                at: effective, zones: zones)
        }
        guard let handOver else { return nil }
        let timing = try wanted.beginning(at: handOver.since)
        let successor = schedule.replacing(
            timing: timing,
            earlier: schedule.earlier + [
                Schedule.Earlier(until: handOver.until, timing: schedule.timing)
            ])
        return TravelOption(
            strategy: strategy, timing: timing, until: handOver.until,
            doses: try preview(of: successor), missingDays: try missingDays(of: timing))
    }

    private func timing(_ strategy: TravelStrategy) throws(MedicationError) -> Timing {
        let old = schedule.timing
        switch strategy {
        case .keepHomeTime:
            return old
        case .keepLocalTime:
            return try Timing(
                pattern: old.pattern, daysOfWeek: old.daysOfWeek, referenceZone: change.to)
        case .custom(let times):
            return try Timing(
                pattern: .times(times), daysOfWeek: old.daysOfWeek, referenceZone: change.to)
        case .gradualShift(let minutesPerDay):
            return try shifting(minutesPerDay: minutesPerDay, beginningLater: 0)
        }
    }

    private func shifting(
        minutesPerDay: Int, beginningLater days: Int64
    ) throws(MedicationError) -> Timing {
        let old = schedule.timing
        return try Timing(
            pattern: old.pattern, daysOfWeek: old.daysOfWeek, referenceZone: change.to,
            shift: try shift(minutesPerDay: minutesPerDay, beginningLater: days))
    }

    /// The next dose.
    private func next() throws(MedicationError) -> Instant? {
        let until = effective.advanced(byMinutes: 14 * 1_440)
        return try schedule.occurrences(in: effective..<until, zones: zones).first?.scheduled
    }

    /// Returns true when a shift takes over with the next dose, moved by one step at most, and with
    /// all doses of that dose's day.
    private func isSeamless(_ wanted: Timing, later: Int64) throws(MedicationError) -> Bool {
        guard let shift = wanted.shift, let next = try next(),
            let handOver = try HandOver(
                from: schedule, to: schedule.replacing(timing: wanted, earlier: []),
                at: effective, zones: zones)
        else { return true }
        let moved = handOver.since.milliseconds(since: next).magnitude / 60_000
        guard handOver.until == effective, moved <= UInt64(shift.minutesPerDay) else {
            return false
        }
        if later > 0 { return true }
        let zone = try zones.zone(named: change.to)
        let nominal = zone.local(at: next.advanced(byMinutes: Int64(-shift.minutes)))
        return wanted.times.first.map { $0.minuteOfDay == nominal.hour * 60 + nominal.minute }
            ?? true
    }

    /// The way from the old times to the new zone's, beginning on the day of the next dose or so
    /// many days later.
    private func shift(
        minutesPerDay: Int, beginningLater days: Int64
    ) throws(MedicationError) -> GradualShift? {
        guard GradualShift.stepMinutes.contains(minutesPerDay),
            let most = Timing.longestStepMinutes(schedule.timing.pattern)
        else { throw .badShift }
        let old = try zones.zone(named: schedule.timing.referenceZone)
        let new = try zones.zone(named: change.to)
        let next = try next() ?? effective
        // A shift under way has moved the old doses already.
        let moved = schedule.timing.shift.map {
            Int64($0.displacementMinutes(on: old.local(at: next).day))
        }
        let raw =
            CivilTime.floorDivision(
                new.offsetSeconds(at: next) - old.offsetSeconds(at: next), by: 60) + (moved ?? 0)
        let minutes = CivilTime.floorRemainder(raw + 720, by: 1_440) - 720
        guard minutes != 0 else { return nil }
        let day = new.local(at: next.advanced(byMinutes: -minutes)).day
        return try GradualShift(
            firstDay: day.advanced(byDays: days), minutes: Int(minutes),
            minutesPerDay: min(minutesPerDay, most))
    }

    private func preview(
        of successor: Schedule
    ) throws(MedicationError) -> [TravelOption.Dose] {
        let here = try zones.zone(named: change.to)
        let home = try zones.zone(named: schedule.timing.referenceZone)
        let lookBack = effective.advanced(byMinutes: -30 * 1_440)
        let end = effective.advanced(byMinutes: Int64(days) * 1_440)
        let occurrences = try successor.occurrences(in: lookBack..<end, zones: zones)
        let usual = UsualGaps(schedule.timing).flatMap { before in
            UsualGaps(successor.timing).map { before.joined($0) }
        }
        var previous: Instant?
        var doses: [TravelOption.Dose] = []
        for occurrence in occurrences {
            let gap = previous.map { occurrence.scheduled.milliseconds(since: $0) / 60_000 }
            previous = occurrence.scheduled
            guard occurrence.scheduled >= effective else { continue }
            doses.append(
                TravelOption.Dose(
                    occurrence: occurrence, here: here.local(at: occurrence.scheduled),
                    home: home.local(at: occurrence.scheduled), gapMinutes: gap,
                    warning: gap.flatMap { usual?.warning(gapMinutes: $0) }))
        }
        return doses
    }

    private func missingDays(of timing: Timing) throws(MedicationError) -> [Day] {
        let zone = try zones.zone(named: timing.referenceZone)
        let first = zone.local(at: effective).day
        return (0...Int64(days)).map { first.advanced(byDays: $0) }
            .filter { zone.instant(day: $0, hour: 12, minute: 0) == nil }
    }
}
