import Glibc

/// Set by the handler of SIGINT and SIGTERM, read by the loop of a swarm.
private nonisolated(unsafe) var interrupted: sig_atomic_t = 0

/// The process that started this one, set before the handler that reads it.
private nonisolated(unsafe) var parent: pid_t = 0

/// True when somebody asked the command to end.
enum Interrupt {
    static var isAsked: Bool { unsafe interrupted != 0 }

    /// From here on the signals only leave a mark; the second one ends the command.
    static func watch() {
        // Whoever started this may have blocked them.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        for number in [SIGINT, SIGTERM] {
            _ = signal(number) { number in
                if unsafe interrupted != 0 { _exit(128 + number) }
                unsafe interrupted = 1
            }
        }
    }

    /// A worker is ended by its parent alone, and does not survive it, whatever it is doing.
    static func leaveToParent() {
        _ = signal(SIGINT, SIG_IGN)
        unsafe parent = getppid()
        _ = signal(SIGALRM) { _ in
            if unsafe getppid() != parent { _exit(1) }
        }
        let second = timeval(tv_sec: 1, tv_usec: 0)
        var timer = itimerval(it_interval: second, it_value: second)
        unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }

    /// Seconds since some moment.
    static var seconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
