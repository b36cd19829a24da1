/// A time of day at which a dose is due, such as 08:00, morning.
package struct DoseTime: Hashable, Comparable, Sendable {
    /// Longest label; it has no control characters.
    package static let maximumLabelBytes = 64

    /// The hour, 0...23.
    package let hour: Int
    /// The minute, 0...59.
    package let minute: Int
    /// The name of the time, such as `morning`; often empty.
    package let label: String

    /// A time of day; throws `badDoseTime`.
    package init(hour: Int, minute: Int, label: String = "") throws(MedicationError) {
        guard (0...23).contains(hour), (0...59).contains(minute),
            label.utf8.count <= DoseTime.maximumLabelBytes,
            label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { throw .badDoseTime }
        self.hour = hour
        self.minute = minute
        self.label = label
    }

    /// Minutes after midnight, 0...1439.
    package var minuteOfDay: Int { hour * 60 + minute }

    /// The order of a day; labels decide between equal times.
    package static func < (left: DoseTime, right: DoseTime) -> Bool {
        (left.minuteOfDay, left.label) < (right.minuteOfDay, right.label)
    }
}

extension DoseTime: CustomStringConvertible {
    /// The time as hh:mm, followed by its label.
    package var description: String {
        LocalTime.text(hour: hour, minute: minute) + (label.isEmpty ? "" : " " + label)
    }
}
