import LinnetAPI
import LinnetControl
import LinnetMedication

/// The hours of each day in which nothing new is shown, by the clock on the wall.
struct QuietHours: Equatable, Sendable {
    private static let dayMinutes = 1_440

    /// The first minute of the day that is quiet.
    let start: Int
    /// The first minute that is not quiet any more.
    let end: Int

    /// Reads `22:00-07:00`.
    init(_ text: String) throws(ControlFailure) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = MedTime.clock(String(parts[0])),
            let end = MedTime.clock(String(parts[1])), start != end
        else {
            throw .usage("--quiet-hours takes two different times of day, such as 22:00-07:00")
        }
        self.start = start.hour * 60 + start.minute
        self.end = end.hour * 60 + end.minute
    }

    /// Returns the instant at which a quiet time that holds `now` is over; nil when it is not
    /// quiet. A change of the clocks until then moves it: ask again when it has come.
    func end(at now: Instant, in zone: ZoneRules) -> Instant? {
        let local = zone.local(at: now)
        let minute = local.hour * 60 + local.minute
        guard Self.minutes(from: start, to: minute) < Self.minutes(from: start, to: end) else {
            return nil
        }
        return now.advanced(byMinutes: Int64(Self.minutes(from: minute, to: end)))
            .advanced(byMilliseconds: -Int64(local.second) * 1_000)
    }

    private static func minutes(from start: Int, to end: Int) -> Int {
        (end - start + dayMinutes) % dayMinutes
    }
}
