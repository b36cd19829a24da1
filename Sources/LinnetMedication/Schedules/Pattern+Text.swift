extension Pattern {
    /// Such as `08:00 morning,20:00`, `every 36 h from 2026-11-21T08:00:00.000Z` or `as needed`.
    public var text: String {
        switch self {
        case .times(let times):
            times.map { time in
                LocalTime.text(hour: time.hour, minute: time.minute)
                    + (time.label.isEmpty ? "" : " " + TimingText.escaped(time.label))
            }
            .joined(separator: ",")
        case .interval(let hours, let anchor):
            "every " + String(hours) + " h from " + anchor.description
        case .asNeeded:
            "as needed"
        }
    }

    /// Reads what `text` writes; throws `badTiming` or `badDoseTime`.
    public init(reading text: String) throws(MedicationError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        if text == "as needed" {
            self = .asNeeded
        } else if words.first == "every" {
            guard words.count == 5, let hours = Int(words[1]), words[2] == "h",
                words[3] == "from", let anchor = Instant(String(words[4]))
            else { throw .badTiming }
            self = .interval(hours: hours, anchor: anchor)
        } else {
            var times: [DoseTime] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                times.append(try DoseTime(reading: part))
            }
            self = .times(times)
        }
    }
}

extension DoseTime {
    /// Reads hh:mm and maybe a space and a label.
    fileprivate init(reading text: Substring) throws(MedicationError) {
        let time = Array(text.utf8.prefix(5))
        guard time.count == 5,
            let hour = Int(String(decoding: time[..<2], as: UTF8.self)),
            let minute = Int(String(decoding: time[3...], as: UTF8.self)),
            LocalTime.text(hour: hour, minute: minute).utf8.elementsEqual(time)
        else { throw .badTiming }
        let rest = text.dropFirst(5)
        guard rest.isEmpty || rest.first == " " else { throw .badTiming }
        try self.init(
            hour: hour, minute: minute, label: try TimingText.unescaped(rest.dropFirst()))
    }
}
