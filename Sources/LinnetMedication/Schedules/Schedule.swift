public import LinnetCRDT

/// The times at which a medication is to be taken, and at which it was to be taken before.
public struct Schedule: Hashable, Sendable {
    /// Longest range that occurrences are asked for at once.
    public static let maximumRangeDays: Int64 = 7_320

    /// A timing that was replaced.
    public struct Earlier: Hashable, Sendable {
        /// From this instant on no dose is due by it.
        public let until: Instant
        /// The timing.
        public let timing: Timing

        /// A timing that applied until an instant.
        public init(until: Instant, timing: Timing) {
            self.until = until
            self.timing = timing
        }
    }

    /// The schedule's identifier.
    public let id: RecordID
    /// The medication that it is for.
    public let medication: RecordID
    /// The timing that applies now.
    public let timing: Timing
    /// The timings that applied before, the oldest first.
    public let earlier: [Earlier]
    /// True when the schedule makes doses due at all.
    public let isActive: Bool
    /// The first day of doses, in the reference zone of the timing; nil for no first day.
    public let startDay: Day?
    /// The last day of doses, in the reference zone of the timing; nil for no last day.
    public let endDay: Day?

    /// A schedule.
    public init(
        id: RecordID, medication: RecordID, timing: Timing, earlier: [Earlier] = [],
        isActive: Bool = true, startDay: Day? = nil, endDay: Day? = nil
    ) {
        self.id = id
        self.medication = medication
        self.timing = timing
        self.earlier = earlier
        self.isActive = isActive
        self.startDay = startDay
        self.endDay = endDay
    }

    /// The same schedule with another timing and other earlier ones.
    public func replacing(timing: Timing, earlier: [Earlier]) -> Schedule {
        Schedule(
            id: id, medication: medication, timing: timing, earlier: earlier, isActive: isActive,
            startDay: startDay, endDay: endDay)
    }

    /// The doses due within a range, ascending; none when the schedule is not active.
    ///
    /// The timing that applied at its own time makes each due. Throws `rangeTooLong` and
    /// `unknownZone`.
    public func occurrences(
        in range: Range<Instant>, zones: ZoneTable
    ) throws(MedicationError) -> [Occurrence] {
        let longest = Schedule.maximumRangeDays * CivilTime.dayMilliseconds
        guard range.upperBound.milliseconds(since: range.lowerBound) <= longest else {
            throw .rangeTooLong
        }
        guard isActive else { return [] }
        var occurrences: [Occurrence] = []
        var start = Instant(milliseconds: .min)
        for (timing, end) in phases {
            let lower = max(range.lowerBound, max(start, timing.since ?? start))
            let upper = min(range.upperBound, end)
            if lower < upper {
                var doses = DoseSeries(schedule: self, timing: timing)
                occurrences += try doses.occurrences(in: lower..<upper, zones: zones)
            }
            start = max(start, end)
        }
        return occurrences
    }

    /// The zone whose clocks the schedule lived by at an instant.
    public func referenceZone(at instant: Instant) -> String {
        let phase = phases.first { instant < $0.end }
        return (phase?.timing ?? timing).referenceZone
    }

    /// Each timing and the instant from which it no longer applies, the oldest first.
    ///
    /// A change that came before the one before it had taken effect cuts that one short.
    private var phases: [(timing: Timing, end: Instant)] {
        var phases = earlier.map { (timing: $0.timing, end: $0.until) }
        phases.append((timing, Instant(milliseconds: .max)))
        for index in phases.indices.dropLast().reversed() {
            phases[index].end = min(phases[index].end, phases[index + 1].end)
        }
        return phases
    }
}
