/// The schedule that a strategy would make.
package struct TravelOption: Hashable, Sendable {
    /// A dose that would be due.
    package struct Dose: Hashable, Sendable {
        /// The dose.
        package let occurrence: Occurrence
        /// The time that clocks show where the person is now.
        package let here: LocalTime
        /// The time that clocks show in the zone that the schedule lived by.
        package let home: LocalTime
        /// Minutes after the dose before; nil for the first one of a schedule.
        package let gapMinutes: Int64?
        /// The warning about that gap, if it is unusual.
        package let warning: GapWarning?
    }

    /// The strategy.
    package let strategy: TravelStrategy
    /// The timing, without the name of an adjustment.
    package let timing: Timing
    /// The instant from which nothing is due by the timing of now.
    package let until: Instant
    /// The next doses, ascending.
    package let doses: [Dose]
    /// Days within the preview that the timing's zone leaves out: they have no doses.
    package let missingDays: [Day]

    /// The doses after an unusual gap.
    package var warnings: [Dose] { doses.filter { $0.warning != nil } }
}
