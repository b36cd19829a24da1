import LinnetCRDT

/// The view of a day that a person sees.
public struct TodayView: Equatable, Sendable {
    /// The day in the zone of the person.
    public let day: Day
    /// All doses of the day.
    public let lines: [DoseLine]
    /// The progress of the day.
    public let progress: DayProgress
    /// The next dose that is not settled, of the coming week; nil when none is due.
    public let next: DoseLine?
    /// The alerts that a person should know of.
    public let alerts: [MedicationAlert]
}

extension MedicationBook {
    /// The number of days ahead in which the next dose and the reminders are looked for.
    public static let planDays: Int64 = 7

    /// The doses of a day of a zone.
    public func lines(
        of day: Day, now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> [DoseLine] {
        let range = zone.start(of: day)..<zone.start(of: day.advanced(byDays: 1))
        return try lines(in: range, now: now, zones: zones)
    }

    /// The doses that are to be taken next: due, put off or coming within the week.
    public func coming(
        now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> [DoseLine] {
        // What was put off may have been due a while ago.
        let since = now.advanced(byMilliseconds: -CivilTime.dayMilliseconds)
        let until = now.advanced(
            byMilliseconds: MedicationBook.planDays * CivilTime.dayMilliseconds)
        return try lines(in: since..<until, now: now, zones: zones)
            .filter { !$0.status.isSettled }
    }

    /// The day that `now` lies in.
    public func today(
        now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> TodayView {
        let day = zone.local(at: now).day
        let lines = try lines(of: day, now: now, zone: zone, zones: zones)
        return TodayView(
            day: day, lines: lines, progress: DayProgress(lines),
            next: try coming(now: now, zones: zones).first,
            alerts: try alerts(now: now, zone: zone, zones: zones))
    }
}
