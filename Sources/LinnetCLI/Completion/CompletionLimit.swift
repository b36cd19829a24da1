#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ends the program when its time is over, whatever it waits for.
enum CompletionLimit {
    /// Starts the time; at its end the program exits without a word.
    static func start(microseconds: Int) {
        // Only what POSIX calls safe in a handler happens here.
        _ = signal(SIGALRM) { _ in _exit(0) }
        _ = ualarm(useconds_t(microseconds), 0)
    }
}
