extension GradualShift {
    /// First day, minutes, minutes a day: `2026-11-23 540 60`.
    public var text: String {
        firstDay.description + " " + String(minutes) + " " + String(minutesPerDay)
    }

    /// Reads what `text` writes; throws `badTiming` or `badShift`.
    public init(reading text: String) throws(MedicationError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let day = Day(String(words[0])), let minutes = Int(words[1]),
            let minutesPerDay = Int(words[2])
        else { throw .badTiming }
        try self.init(firstDay: day, minutes: minutes, minutesPerDay: minutesPerDay)
    }
}
