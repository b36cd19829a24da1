/// The way in which a schedule goes on after its person changed the time zone, or its times.
public enum TravelStrategy: Hashable, Sendable {
    /// The times of the day stay what they are, in the new zone.
    case keepLocalTime
    /// The doses stay when they are; wall clocks show other times for them.
    case keepHomeTime
    /// The times of the day move to the new zone's by at most that many minutes a day.
    case gradualShift(minutesPerDay: Int)
    /// Other times of the day, in the new zone.
    case custom([DoseTime])

    /// A gradual shift of an hour a day.
    public static let usualGradualShift = gradualShift(
        minutesPerDay: GradualShift.usualMinutesPerDay)

    /// The strategy's name in the log of adjustments.
    public var name: String {
        switch self {
        case .keepLocalTime: "keepLocalTime"
        case .keepHomeTime: "keepHomeTime"
        case .gradualShift: "gradualShift"
        case .custom: "custom"
        }
    }
}
