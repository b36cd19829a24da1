/// The times of HTTP and of signed requests.
enum HTTPDate {
    private static let daySeconds: Int64 = 86_400
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The longest wait that a store may ask for, in seconds: it can withhold everything anyway,
    /// but a mistake of its administrator ends with the hour.
    static let longestWait: Int64 = 3_600

    /// Reads a time as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form.
    static func seconds(_ text: String) -> Int64? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == ":" })
        guard parts.count == 8, parts[7] == "GMT",
            let month = months.firstIndex(of: String(parts[2])),
            let day = number(parts[1], in: 1...31), let year = number(parts[3], in: 1970...9999),
            let hour = number(parts[4], in: 0...23), let minute = number(parts[5], in: 0...59),
            let second = number(parts[6], in: 0...60)
        else { return nil }
        return days(year, Int64(month) + 1, day) * daySeconds + hour * 3_600 + minute * 60 + second
    }

    /// Reads what `Retry-After` says, seconds or a time; nil for anything else.
    static func wait(_ text: String, now: Int64) -> Int64? {
        if let seconds = number(Substring(text), in: 0...Int64(Int32.max)) {
            return min(seconds, longestWait)
        }
        return seconds(text).map { min(max(0, $0 - now), longestWait) }
    }

    /// Returns a time as `20130524T000000Z`.
    static func basic(_ seconds: Int64) -> String {
        let date = civil(seconds / daySeconds)
        let rest = seconds % daySeconds
        return padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2) + "T"
            + padded(rest / 3_600, 2) + padded(rest / 60 % 60, 2) + padded(rest % 60, 2) + "Z"
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int64>) -> Int64? {
        guard !text.isEmpty, text.utf8.count <= 10,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int64(text),
            range.contains(value)
        else { return nil }
        return value
    }

    private static func padded(_ value: Int64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// Returns the days from 1 January 1970 to a date of the Gregorian calendar, years from 1970.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // A year that begins in March has its leap day at its end.
        let shifted = month > 2 ? year : year - 1
        let inYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + inYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = max(0, days) + 719_468
        let era = shifted / 146_097
        let inEra = shifted - era * 146_097
        let year = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let day = inYear - (153 * month + 2) / 5 + 1
        let isLate = month >= 10
        return (era * 400 + year + (isLate ? 1 : 0), isLate ? month - 9 : month + 3, day)
    }
}
