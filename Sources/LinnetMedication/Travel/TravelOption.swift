/// The schedule that a strategy would make.
public struct TravelOption: Hashable, Sendable {
    /// A dose that would be due.
    public struct Dose: Hashable, Sendable {
        /// The dose.
        public let occurrence: Occurrence
        /// The time that clocks show where the person is now.
        public let here: LocalTime
        /// The time that clocks show in the zone that the schedule lived by.
        public let home: LocalTime
        /// Minutes after the dose before; nil for the first one of a schedule.
        public let gapMinutes: Int64?
        /// The warning about that gap, if it is unusual.
        public let warning: GapWarning?
    }

    /// The strategy.
    public let strategy: TravelStrategy
    /// The timing, without the name of an adjustment.
    public let timing: Timing
    /// The instant from which nothing is due by the timing of now.
    public let until: Instant
    /// The next doses, ascending.
    public let doses: [Dose]
    /// Days within the preview that the timing's zone leaves out: they have no doses.
    public let missingDays: [Day]

    /// The doses after an unusual gap.
    public var warnings: [Dose] { doses.filter { $0.warning != nil } }
}
