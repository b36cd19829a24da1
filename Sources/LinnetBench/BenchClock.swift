import CBench
import LinnetWire

/// The two clocks that a replica is told, read together.
enum BenchClock {
    /// Seconds of a clock that all processes share.
    static var seconds: Double { bench_now() }

    static var moment: Moment {
        Moment(
            wallMilliseconds: bench_wall_milliseconds(),
            uptimeMilliseconds: Int64(bench_now() * 1_000))
    }

    /// The seconds that `body` takes.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds
        try body()
        return seconds - start
    }
}
