import Linnet
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The pipe's end that the signal handler writes to; it is set once, before the handler is
/// installed.
private nonisolated(unsafe) var signalDescriptor: Int32 = -1

/// SIGINT and SIGTERM. They end the program at once, or run a closure that a command has set. So
/// does SIGHUP, where a command has a use for it.
///
/// Blocking them and waiting for them would not do: the main thread of a concurrent program
/// unblocks them.
package enum Signals {
    private static let action = Mutex<(@Sendable () -> Void)?>(nil)
    private static let hangup = Mutex<(@Sendable () -> Void)?>(nil)

    /// Installs the handler; the signals keep their default effect when there is no pipe or thread
    /// for it.
    package static func watch() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        guard HelperThread.start({ wait(readEnd) }) else { return }
        unsafe signalDescriptor = writeEnd
        for number in [SIGINT, SIGTERM] { handle(number) }
    }

    private static func handle(_ number: Int32) {
        // Only what POSIX calls safe in a handler happens here.
        _ = signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            unsafe _ = write(signalDescriptor, &byte, 1)
        }
    }

    /// Sets a closure that each SIGHUP runs from now on.
    package static func onHangup(_ body: @escaping @Sendable () -> Void) {
        hangup.withLock { $0 = body }
        if unsafe signalDescriptor >= 0 { handle(SIGHUP) }
    }

    /// Sets a closure that the next signal runs instead of ending the program. The signal after it
    /// ends the program.
    package static func onTermination(_ body: @escaping @Sendable () -> Void) {
        action.withLock { $0 = body }
    }

    private static func wait(_ readEnd: Int32) {
        var number: UInt8 = 0
        while true {
            let count = unsafe read(readEnd, &number, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return }
            guard Int32(number) != SIGHUP else {
                hangup.withLock { $0 }?()
                continue
            }
            let body = action.withLock { action in
                defer { action = nil }
                return action
            }
            guard let body else { _exit(128 + Int32(number)) }
            body()
        }
    }
}
