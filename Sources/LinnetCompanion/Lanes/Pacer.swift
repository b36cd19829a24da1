/// The times at which something unanswered is sent again.
struct Pacer: Equatable, Sendable {
    private(set) var sentUptimeMilliseconds: Int64?
    private var attempts: Int64 = 0

    /// Most doublings of the pause.
    private static let doublingsMaximum: Int64 = 5

    mutating func sent(atUptimeMilliseconds now: Int64) {
        sentUptimeMilliseconds = now
        attempts += 1
    }

    /// Returns the time of the next attempt, on the clock of uptime.
    func deadline(firstPauseMilliseconds pause: Int64) -> Int64? {
        sentUptimeMilliseconds.map {
            $0 + pause << min(max(attempts - 1, 0), Pacer.doublingsMaximum)
        }
    }

    /// Returns true when it is to be sent now.
    func isDue(atUptimeMilliseconds now: Int64, firstPauseMilliseconds pause: Int64) -> Bool {
        deadline(firstPauseMilliseconds: pause).map { $0 <= now } ?? true
    }
}
