import Linnet
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the signal handler writes; set once, before the handler is installed.
private nonisolated(unsafe) var signalDescriptor: Int32 = -1

/// SIGINT and SIGTERM: they end the program at once, or run what a command set.
///
/// Blocking them and waiting would not do: the main thread of a concurrent program unblocks them.
package enum Signals {
    private static let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// Takes the signals over.
    package static func watch() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        guard HelperThread.start({ wait(readEnd) }) else { return }
        unsafe signalDescriptor = writeEnd
        for number in [SIGINT, SIGTERM] {
            // Only what POSIX calls safe in a handler happens here.
            _ = signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                unsafe _ = write(signalDescriptor, &byte, 1)
            }
        }
    }

    /// Sets what happens instead of the end, once; a second signal ends the program.
    package static func onTermination(_ body: @escaping @Sendable () -> Void) {
        action.withLock { $0 = body }
    }

    private static func wait(_ readEnd: Int32) {
        var number: UInt8 = 0
        while true {
            let count = unsafe read(readEnd, &number, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return }
            let body = action.withLock { action in
                defer { action = nil }
                return action
            }
            guard let body else { _exit(128 + Int32(number)) }
            body()
        }
    }
}
