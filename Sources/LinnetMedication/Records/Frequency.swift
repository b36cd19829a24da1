/// The prescribed frequency of a medication; the schedules say at which times.
public enum Frequency: Equatable, Sendable {
    /// So many times a day, 1...24.
    case timesADay(Int)
    /// Every so many hours, 1...168.
    case everyHours(Int)
    /// At times of one's own.
    case customTimes
    /// The medication is taken when it is needed, without a schedule.
    case asNeeded
    /// A newer version wrote a frequency that is not known here.
    case unknown(String)

    /// Reads the stored text.
    public init(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch text {
        case "custom times": self = .customTimes
        case "as needed": self = .asNeeded
        default:
            if words.count == 4, words[1...] == ["times", "a", "day"],
                let count = Frequency.number(words[0], in: 1...24)
            {
                self = .timesADay(count)
            } else if words.count == 3, words[0] == "every", words[2] == "hours",
                let hours = Frequency.number(words[1], in: 1...168)
            {
                self = .everyHours(hours)
            } else {
                self = .unknown(text)
            }
        }
    }

    /// The stored text, which people can read.
    public var text: String {
        switch self {
        case .timesADay(let count): "\(count) times a day"
        case .everyHours(let hours): "every \(hours) hours"
        case .customTimes: "custom times"
        case .asNeeded: "as needed"
        case .unknown(let text): text
        }
    }

    /// Only digits as this version writes them, so that any text is kept as it came.
    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard let number = Int(text), range.contains(number), String(number) == text else {
            return nil
        }
        return number
    }
}
