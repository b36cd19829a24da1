public import LinnetCRDT

extension Adjustment {
    /// The adjustment by which someone gives a schedule another timing at home.
    ///
    /// Past doses stay, and the next dose of the new timing stands for the next one of the old, as
    /// with a change of zone. `logged` is the latest scheduled instant of the schedule that an
    /// event names. Throws `unknownZone`.
    public static func editing(
        _ schedule: Schedule, to timing: Timing, id: RecordID, at now: Instant,
        logged: Instant? = nil, zones: ZoneTable
    ) throws(MedicationError) -> Adjustment {
        let effective = max(now, logged.map { $0.advanced(byMilliseconds: 1) } ?? now)
        var until = effective
        var since = effective
        if timing.pattern != .asNeeded,
            let handOver = try HandOver(
                from: schedule, to: schedule.replacing(timing: timing, earlier: []),
                at: effective, zones: zones)
        {
            until = handOver.until
            since = handOver.since
        }
        return Adjustment(
            id: id, schedule: schedule.id, zoneChange: nil, strategy: "edited",
            before: Schedule.Earlier(until: until, timing: schedule.timing),
            after: try timing.beginning(at: since).adjusted(by: id),
            zone: timing.referenceZone, at: now)
    }
}
