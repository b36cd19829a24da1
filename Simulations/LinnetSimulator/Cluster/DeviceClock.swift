import LinnetWire

/// The time as a device believes it: a wall clock that may be wrong in every way, and an
/// uptime that begins at its start.
struct DeviceClock {
    /// The true wall clock at the start of every simulation: 15 January 2027.
    static let epochMilliseconds: Int64 = 1_800_000_000_000

    /// The wall clock minus the true time.
    private(set) var offsetMilliseconds: Int64 = 0
    /// The milliseconds that the clock gains in a day.
    private(set) var driftPerDayMilliseconds: Int64 = 0
    private var driftsSince: Int64 = 0
    private var frozenAt: Int64?
    private var bootedAt: Int64 = 0

    mutating func step(_ milliseconds: Int64) { offsetMilliseconds += milliseconds }

    mutating func drift(perDay milliseconds: Int64, now: Int64) {
        offsetMilliseconds += drifted(now)
        driftsSince = now
        driftPerDayMilliseconds = milliseconds
    }

    mutating func freeze(now: Int64) { frozenAt = frozenAt ?? wall(now) }

    mutating func thaw() { frozenAt = nil }

    mutating func boot(now: Int64) { bootedAt = now }

    func moment(now: Int64) -> Moment {
        Moment(
            wallMilliseconds: frozenAt ?? wall(now), uptimeMilliseconds: now - bootedAt + 1_000)
    }

    /// The true time of an uptime.
    func trueTime(ofUptime milliseconds: Int64) -> Int64 {
        let (time, overflow) = milliseconds.addingReportingOverflow(bootedAt - 1_000)
        return overflow ? .max : time
    }

    private func wall(_ now: Int64) -> Int64 {
        Self.epochMilliseconds + now + offsetMilliseconds + drifted(now)
    }

    private func drifted(_ now: Int64) -> Int64 {
        driftPerDayMilliseconds * ((now - driftsSince) / 60_000) / 1_440
    }
}
