#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A plain POSIX thread, for work that must never run on the cooperative pool.
package enum HelperThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that runs `body` once; returns false when the system has no thread
    /// left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // The C headers do not give Swift an initialiser of the attributes on every platform.
        unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
            guard let attributes = memory.baseAddress else { return false }
            unsafe pthread_attr_init(attributes)
            defer { unsafe pthread_attr_destroy(attributes) }
            unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            // Apple's default of 512 KiB is too little for SQLite under a deep call.
            unsafe pthread_attr_setstacksize(attributes, 4 << 20)
            return unsafe start(body, attributes)
        }
    }

    private static func start(
        _ body: @escaping @Sendable () -> Void, _ attributes: UnsafePointer<pthread_attr_t>
    ) -> Bool {
        let box = unsafe Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let failure = unsafe pthread_create(
                &thread, attributes, { unsafe HelperThread.enter($0) }, box.toOpaque())
        #else
            var thread = pthread_t()
            let failure = unsafe pthread_create(
                &thread, attributes,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    return unsafe HelperThread.enter(argument)
                }, box.toOpaque())
        #endif
        if failure != 0 { unsafe box.release() }
        return failure == 0
    }

    /// Returns a number that is equal on one thread, and different on two threads that are alive
    /// together.
    package static func current() -> UInt {
        #if canImport(Darwin)
            unsafe UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    /// Makes writes to a pipe that nobody reads fail on this thread, instead of ending the process.
    package static func ignoreBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static func enter(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
