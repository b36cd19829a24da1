import LinnetCRDT

/// The time that a wall clock shows.
public struct LocalTime: Comparable, Hashable, Sendable {
    /// The day of the calendar.
    public let day: Day
    /// The hour, 0...23.
    public let hour: Int
    /// The minute, 0...59.
    public let minute: Int
    /// The second, 0...59.
    public let second: Int

    /// The wall clock's time that many seconds after 1970-01-01T00:00:00 on that wall clock.
    init(seconds: Int64) {
        day = Day(number: CivilTime.floorDivision(seconds, by: 86_400))
        let time = Int(CivilTime.floorRemainder(seconds, by: 86_400))
        hour = time / 3_600
        minute = time / 60 % 60
        second = time % 60
    }

    /// The order of wall clocks.
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        (left.day, left.hour, left.minute, left.second)
            < (right.day, right.hour, right.minute, right.second)
    }
}

extension LocalTime: CustomStringConvertible {
    /// The time as YYYY-MM-DD hh:mm.
    public var description: String {
        day.description + " " + LocalTime.text(hour: hour, minute: minute)
    }

    /// A time of day as hh:mm.
    public static func text(hour: Int, minute: Int) -> String {
        (hour < 10 ? "0" : "") + String(hour) + (minute < 10 ? ":0" : ":") + String(minute)
    }
}
