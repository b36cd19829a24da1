/// The forms of dates of the proleptic Gregorian calendar and of UTC instants, as numbers and as
/// text.
///
/// The algorithms are those of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
package enum CivilTime {
    /// The number of milliseconds in a day without leap seconds.
    package static let dayMilliseconds: Int64 = 86_400_000

    /// Returns the number of days from 1970-01-01 to a date; the year lies within a thousand
    /// million years of 0.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivision(shifted, by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the calendar date of a day counted from 1970-01-01.
    package static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // The count is split before the epoch is shifted, so that the largest counts do not
        // overflow.
        let shifted = floorRemainder(days, by: 146_097) + 719_468
        let era = floorDivision(days, by: 146_097) + shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Returns a date as YYYY-MM-DD; years outside 0 ... 9999 have a sign.
    package static func dateText(days: Int64) -> String {
        let (year, month, day) = civil(days: days)
        let sign = year < 0 ? "-" : year > 9_999 ? "+" : ""
        return sign + padded(Int64(year.magnitude), 4) + "-" + padded(month, 2) + "-"
            + padded(day, 2)
    }

    /// Reads YYYY-MM-DD, where years outside 0 ... 9999 have a sign, and returns the days since
    /// 1970-01-01; nil if there is no such date.
    package static func parseDate(_ text: String) -> Int64? {
        var scanner = Scanner(text)
        guard let days = scanner.date(), scanner.isAtEnd else { return nil }
        return days
    }

    /// Returns an instant in the form of RFC 3339, in UTC with milliseconds.
    package static func instantText(milliseconds: Int64) -> String {
        let days = floorDivision(milliseconds, by: dayMilliseconds)
        let time = floorRemainder(milliseconds, by: dayMilliseconds)
        return dateText(days: days) + "T" + padded(time / 3_600_000, 2) + ":"
            + padded(time / 60_000 % 60, 2) + ":" + padded(time / 1_000 % 60, 2) + "."
            + padded(time % 1_000, 3) + "Z"
    }

    /// Reads the form of RFC 3339 in UTC, with at most three digits after the second, and returns
    /// Unix milliseconds; nil for any other text.
    package static func parseInstant(_ text: String) -> Int64? {
        var scanner = Scanner(text)
        guard let days = scanner.date(), scanner.take("T"),
            let hour = scanner.number(2...2), hour < 24, scanner.take(":"),
            let minute = scanner.number(2...2), minute < 60, scanner.take(":"),
            let second = scanner.number(2...2), second < 60
        else { return nil }
        var fraction: Int64 = 0
        if scanner.take(".") {
            let start = scanner.rest.count
            guard let digits = scanner.number(1...3) else { return nil }
            let scale: Int64 = [100, 10, 1][start - scanner.rest.count - 1]
            fraction = digits * scale
        }
        guard scanner.take("Z"), scanner.isAtEnd else { return nil }
        let time = hour * 3_600_000 + minute * 60_000 + second * 1_000 + fraction
        // Counting back from the next midnight reaches the earliest instants without overflow.
        let isNegative = days < 0
        let (whole, tooLarge) = (isNegative ? days + 1 : days).multipliedReportingOverflow(
            by: dayMilliseconds)
        let (sum, overflow) = whole.addingReportingOverflow(
            isNegative ? time - dayMilliseconds : time)
        return tooLarge || overflow ? nil : sum
    }

    /// Returns the quotient rounded down; the divisor is above 0.
    package static func floorDivision(_ number: Int64, by divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    /// Returns the remainder of a division rounded down, which is never below 0; the divisor is
    /// above 0.
    package static func floorRemainder(_ number: Int64, by divisor: Int64) -> Int64 {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// A walk over a text from left to right.
private struct Scanner {
    var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ counts: ClosedRange<Int>) -> Int64? {
        let digits = rest.prefix(counts.upperBound).prefix { (48...57).contains($0) }
        guard digits.count >= counts.lowerBound else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    mutating func date() -> Int64? {
        let start = rest
        let isNegative = take("-")
        let isSigned = isNegative || take("+")
        guard let magnitude = number(isSigned ? 4...9 : 4...4), take("-"),
            let month = number(2...2), (1...12).contains(month), take("-"),
            let day = number(2...2), (1...31).contains(day)
        else { return nil }
        let days = CivilTime.days(
            year: isNegative ? -magnitude : magnitude, month: month, day: day)
        // Printing again finds days past the end of a month and needless signs or zeros.
        return CivilTime.dateText(days: days).utf8.elementsEqual(
            start.prefix(start.count - rest.count)) ? days : nil
    }
}
