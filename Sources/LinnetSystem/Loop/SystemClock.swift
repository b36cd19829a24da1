package import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads the two clocks of the machine; everything below this module gets time as an argument.
package enum SystemClock {
    /// Reads the wall clock and a monotonic clock that goes on counting while the machine sleeps.
    package static func now() -> Moment {
        Moment(
            wallMilliseconds: milliseconds(of: CLOCK_REALTIME),
            uptimeMilliseconds: uptimeMilliseconds())
    }

    /// Reads the monotonic clock that counts suspended time, in milliseconds.
    package static func uptimeMilliseconds() -> Int64 {
        #if canImport(Darwin)
            // On Apple systems CLOCK_MONOTONIC is mach_continuous_time: it counts sleep.
            milliseconds(of: CLOCK_MONOTONIC)
        #else
            milliseconds(of: CLOCK_BOOTTIME)
        #endif
    }

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
