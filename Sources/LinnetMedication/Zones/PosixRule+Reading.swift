extension PosixRule {
    /// Reads a `TZ` string; throws `badFooter` when it is none, or leaves the rules to the system.
    init(reading text: [UInt8]) throws(ZoneFault) {
        var scanner = RuleScanner(rest: text[...])
        let name = try scanner.name()
        let west = try scanner.offset()
        standard = try PosixRule.type(name: name, offsetSeconds: -west, isDaylight: false)
        guard !scanner.isAtEnd else {
            daylight = nil
            return
        }
        let daylightName = try scanner.name()
        var daylightWest = west - 3_600
        if !scanner.take(",") {
            daylightWest = try scanner.offset()
            guard scanner.take(",") else { throw .badFooter }
        }
        let start = try scanner.change()
        guard scanner.take(",") else { throw .badFooter }
        let end = try scanner.change()
        guard scanner.isAtEnd else { throw .badFooter }
        let type = try PosixRule.type(
            name: daylightName, offsetSeconds: -daylightWest, isDaylight: true)
        daylight = Daylight(type: type, start: start, end: end)
    }

    private static func type(
        name: String, offsetSeconds: Int64, isDaylight: Bool
    ) throws(ZoneFault) -> LocalTimeType {
        guard LocalTimeType.offsets.contains(offsetSeconds) else { throw .badFooter }
        return LocalTimeType(
            offsetSeconds: offsetSeconds, isDaylight: isDaylight, abbreviation: name)
    }
}

/// Walks over a `TZ` string from left to right.
private struct RuleScanner {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// At least three letters, or at least three letters, digits and signs within `<` and `>`.
    mutating func name() throws(ZoneFault) -> String {
        let isQuoted = take("<")
        let bytes = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                isQuoted
            default: false
            }
        }
        guard bytes.count >= 3 else { throw .badFooter }
        rest = rest.dropFirst(bytes.count)
        if isQuoted, !take(">") { throw .badFooter }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Hours, and maybe minutes and seconds, with a sign or none: seconds west of UTC.
    mutating func offset() throws(ZoneFault) -> Int64 {
        try time(hours: 0...24)
    }

    mutating func change() throws(ZoneFault) -> PosixRule.Change {
        let day = try dayRule()
        guard take("/") else { return PosixRule.Change(day: day, timeSeconds: 7_200) }
        return PosixRule.Change(day: day, timeSeconds: try time(hours: 0...167))
    }

    private mutating func dayRule() throws(ZoneFault) -> PosixRule.DayRule {
        if take("J") { return .withoutLeapDay(try number(1...365, digits: 3)) }
        guard take("M") else { return .withLeapDay(try number(0...365, digits: 3)) }
        let month = try number(1...12, digits: 2)
        guard take(".") else { throw .badFooter }
        let week = try number(1...5, digits: 1)
        guard take(".") else { throw .badFooter }
        return .month(month, week: week, weekday: try number(0...6, digits: 1))
    }

    private mutating func time(hours: ClosedRange<Int64>) throws(ZoneFault) -> Int64 {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        var seconds = try number(hours, digits: 3) * 3_600
        if take(":") {
            seconds += try number(0...59, digits: 2) * 60
            if take(":") { seconds += try number(0...59, digits: 2) }
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func number(
        _ range: ClosedRange<Int64>, digits: Int
    ) throws(ZoneFault) -> Int64 {
        let found = rest.prefix(digits).prefix { (48...57).contains($0) }
        rest = rest.dropFirst(found.count)
        let number = found.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        guard !found.isEmpty, range.contains(number) else { throw .badFooter }
        return number
    }
}
