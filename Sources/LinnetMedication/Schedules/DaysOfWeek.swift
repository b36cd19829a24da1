/// Days of the week on which doses are due; none stands for every day.
public struct DaysOfWeek: OptionSet, Hashable, Sendable {
    /// Bit 0 is Monday, bit 6 Sunday; bit 7 is never set.
    public let rawValue: UInt8

    /// The days of these bits; bit 7 is ignored.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 0x7f
    }

    /// These days.
    public init(_ days: [Weekday]) {
        self.init(rawValue: days.reduce(0) { $0 | 1 << UInt8($1.rawValue - 1) })
    }

    /// Every day.
    public static let everyDay = DaysOfWeek([])

    /// The days in the order of the week; empty when every day is meant.
    public var days: [Weekday] { Weekday.allCases.filter { contains(DaysOfWeek([$0])) } }

    /// Returns true when doses are due on a day of the week.
    public func includes(_ weekday: Weekday) -> Bool {
        isEmpty || contains(DaysOfWeek([weekday]))
    }
}
