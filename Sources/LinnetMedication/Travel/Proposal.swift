public import LinnetCRDT

/// The ways in which a schedule may go on after a change of zone; nothing moves before someone
/// decides.
public struct Proposal: Sendable {
    /// Days that previews cover, unless told otherwise.
    public static let usualDays = 7

    /// The schedule as it is.
    public let schedule: Schedule
    /// The change of zone.
    public let change: ZoneChange
    /// Nothing before this instant changes.
    public let effective: Instant
    /// Keeping local time, keeping home time and, where it is possible, a gradual shift.
    public let options: [TravelOption]

    private let zones: ZoneTable
    private let days: Int

    /// The proposal for a schedule; nil when the change does not concern it.
    ///
    /// It does not when the schedule has no times of the day, no dose is left, its times are read
    /// from the new zone's clocks already, or someone decided for this zone (`decidedZone`).
    /// `logged` is the latest scheduled instant of the schedule that an event names: such a dose
    /// stays, even if it was taken early. Where decisions were made apart (`isDisputed`), one more
    /// is asked for whatever they say. `days` is 1...60, `minutesPerDay` the step of the gradual
    /// shift. Throws `unknownZone`.
    public init?(
        schedule: Schedule, change: ZoneChange, decidedZone: String?, now: Instant,
        logged: Instant? = nil, zones: ZoneTable, days: Int = usualDays,
        minutesPerDay: Int = GradualShift.usualMinutesPerDay, isDisputed: Bool = false
    ) throws(MedicationError) {
        let reference = schedule.timing.referenceZone
        let today = try zones.zone(named: reference).local(at: now).day
        let isShifting = schedule.timing.shift.map { $0.lastDay >= today } ?? false
        guard schedule.isActive, !schedule.timing.times.isEmpty,
            isDisputed || change.to != decidedZone,
            isDisputed || change.to != reference || isShifting
        else { return nil }
        self.schedule = schedule
        self.change = change
        self.zones = zones
        self.days = min(max(days, 1), 60)
        effective = max(now, logged.map { $0.advanced(byMilliseconds: 1) } ?? now)
        let maker = TravelOptionMaker(
            schedule: schedule, change: change, effective: effective, zones: zones,
            days: self.days)
        var options: [TravelOption] = []
        for strategy in [
            TravelStrategy.keepLocalTime, .keepHomeTime,
            .gradualShift(minutesPerDay: minutesPerDay),
        ] {
            do throws(MedicationError) {
                guard let option = try maker.option(strategy) else { return nil }
                options.append(option)
            } catch .badShift {
                // Doses a minute apart leave no room for steps.
            }
        }
        self.options = options
    }

    /// Returns what any strategy would make of the schedule, such as one with times that someone
    /// gave.
    ///
    /// Throws `badTimes` or `badShift` when the strategy's numbers are impossible.
    public func option(_ strategy: TravelStrategy) throws(MedicationError) -> TravelOption? {
        try TravelOptionMaker(
            schedule: schedule, change: change, effective: effective, zones: zones, days: days
        ).option(strategy)
    }

    /// Returns what going over to a timing that somebody decided for before would make of the
    /// schedule; nil when no dose is left.
    func option(
        _ strategy: TravelStrategy, restoring timing: Timing
    ) throws(MedicationError) -> TravelOption? {
        try TravelOptionMaker(
            schedule: schedule, change: change, effective: effective, zones: zones, days: days
        ).option(strategy, timing)
    }

    /// The adjustment that confirms an option: its `after` becomes the schedule's timing, in one
    /// commit with its entry in the log.
    public func confirming(
        _ option: TravelOption, id: RecordID, at now: Instant
    ) throws(MedicationError) -> Adjustment {
        Adjustment(
            id: id, schedule: schedule.id, zoneChange: change.id, strategy: option.strategy.name,
            before: Schedule.Earlier(until: option.until, timing: schedule.timing),
            after: try option.timing.adjusted(by: id), zone: change.to, at: now)
    }
}
