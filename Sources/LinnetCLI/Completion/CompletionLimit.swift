#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ends the program when its time is over, whatever it waits for.
enum CompletionLimit {
    /// The variable that gives a slow machine more time, in milliseconds.
    static let variable = "LINNET_COMPLETION_MS"
    /// The time where the variable is not set, or is no number from 1 to 60,000.
    static let usual = 90

    /// Returns the milliseconds that a completion may take.
    static func milliseconds(_ value: String?) -> Int {
        guard let value, let asked = Int(value), (1...60_000).contains(asked) else { return usual }
        return asked
    }

    /// Starts the time; at its end the program exits without a word.
    static func start(milliseconds: Int) {
        // Only what POSIX calls safe in a handler happens here.
        _ = signal(SIGALRM) { _ in _exit(0) }
        var timer = itimerval()
        timer.it_value.tv_sec = milliseconds / 1_000
        timer.it_value.tv_usec = suseconds_t(milliseconds % 1_000 * 1_000)
        #if canImport(Darwin)
            _ = unsafe setitimer(ITIMER_REAL, &timer, nil)
        #else
            _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
        #endif
    }
}
