/// A way from the old times of a schedule to its new ones in steps.
public struct GradualShift: Hashable, Sendable {
    /// Steps of this many minutes a day are possible.
    public static let stepMinutes = 1...720
    /// The step unless a person chooses another one: an hour.
    public static let usualMinutesPerDay = 60

    /// The first day, in the reference zone, whose doses are a step closer to the new times.
    public let firstDay: Day
    /// The minutes by which the old times come after the new ones; below zero when they are
    /// earlier.
    public let minutes: Int
    /// The longest step from one day to the next.
    public let minutesPerDay: Int

    /// A way of up to twelve hours in either direction; throws `badShift`.
    public init(firstDay: Day, minutes: Int, minutesPerDay: Int) throws(MedicationError) {
        guard GradualShift.stepMinutes.contains(minutesPerDay), (-720...720).contains(minutes)
        else { throw .badShift }
        self.firstDay = firstDay
        self.minutes = minutes
        self.minutesPerDay = minutesPerDay
    }

    /// Returns the minutes after the new times at which doses are due on a day.
    public func displacementMinutes(on day: Day) -> Int {
        guard day >= firstDay else { return minutes }
        let steps = day.number - firstDay.number + 1
        guard steps < 720 else { return 0 }
        let left = max(0, abs(minutes) - Int(steps) * minutesPerDay)
        return minutes < 0 ? -left : left
    }

    /// The first day whose doses are at the new times.
    public var lastDay: Day {
        let steps = (abs(minutes) + minutesPerDay - 1) / minutesPerDay
        return firstDay.advanced(byDays: Int64(max(steps, 1) - 1))
    }
}
