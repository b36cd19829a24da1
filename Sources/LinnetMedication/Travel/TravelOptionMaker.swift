import LinnetCRDT

/// Works out what strategies would make of a schedule.
struct TravelOptionMaker {
    let schedule: Schedule
    let change: ZoneChange
    let effective: Instant
    let zones: ZoneTable
    let days: Int

    /// What a strategy would make of the schedule; nil when no dose is left.
    func option(_ strategy: TravelStrategy) throws(MedicationError) -> TravelOption? {
        let wanted = try timing(strategy)
        let handOver: HandOver?
        if strategy == .keepHomeTime {
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
            return try Timing(
                pattern: old.pattern, daysOfWeek: old.daysOfWeek, referenceZone: change.to,
                shift: try shift(minutesPerDay: minutesPerDay))
        }
    }

    /// The way from the old times to the new zone's, beginning with the next dose.
    private func shift(minutesPerDay: Int) throws(MedicationError) -> GradualShift? {
        guard GradualShift.stepMinutes.contains(minutesPerDay),
            let most = Timing.longestStepMinutes(schedule.timing.pattern)
        else { throw .badShift }
        let old = try zones.zone(named: schedule.timing.referenceZone)
        let new = try zones.zone(named: change.to)
        let until = effective.advanced(byMinutes: 14 * 1_440)
        let next =
            try schedule.occurrences(in: effective..<until, zones: zones).first?.scheduled
            ?? effective
        // A shift under way has moved the old doses already.
        let moved = schedule.timing.shift.map {
            Int64($0.displacementMinutes(on: old.local(at: next).day))
        }
        let raw =
            CivilTime.floorDivision(
                new.offsetSeconds(at: next) - old.offsetSeconds(at: next), by: 60) + (moved ?? 0)
        let minutes = CivilTime.floorRemainder(raw + 720, by: 1_440) - 720
        guard minutes != 0 else { return nil }
        return try GradualShift(
            firstDay: new.local(at: next.advanced(byMinutes: -minutes)).day,
            minutes: Int(minutes), minutesPerDay: min(minutesPerDay, most))
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
