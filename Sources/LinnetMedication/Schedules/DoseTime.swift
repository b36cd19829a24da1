/// A time of day at which a dose is due, such as 08:00, morning.
public struct DoseTime: Hashable, Comparable, Sendable {
    /// Longest label; it has no control characters.
    public static let maximumLabelBytes = 64

    /// The hour, 0...23.
    public let hour: Int
    /// The minute, 0...59.
    public let minute: Int
    /// The name of the time, such as `morning`; often empty.
    public let label: String

    /// A time of day; throws `badDoseTime`.
    public init(hour: Int, minute: Int, label: String = "") throws(MedicationError) {
        guard (0...23).contains(hour), (0...59).contains(minute),
            label.utf8.count <= DoseTime.maximumLabelBytes,
            label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { throw .badDoseTime }
        self.hour = hour
        self.minute = minute
        self.label = label
    }

    /// Minutes after midnight, 0...1439.
    public var minuteOfDay: Int { hour * 60 + minute }

    /// The order of a day; labels decide between equal times.
    public static func < (left: DoseTime, right: DoseTime) -> Bool {
        (left.minuteOfDay, left.label) < (right.minuteOfDay, right.label)
    }
}

extension DoseTime: CustomStringConvertible {
    /// The time as hh:mm, followed by its label.
    public var description: String {
        LocalTime.text(hour: hour, minute: minute) + (label.isEmpty ? "" : " " + label)
    }
}
