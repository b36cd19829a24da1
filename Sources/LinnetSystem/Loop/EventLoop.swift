import LinnetWire
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One thread that runs an actor's jobs, waits for descriptors with poll(2) and keeps timers.
///
/// The node uses it as its executor: the store and the sockets live on this thread, so nothing that
/// they touch needs a lock. Only the queue of work is shared between threads.
package final class EventLoop: SerialExecutor {
    private enum Work: Sendable {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Shared {
        var queue: [Work] = []
        var watches = WatchTable()
        var timers = TimerTable()
        var wakePending = false
        var stopping = false
    }

    /// The longest wait, in milliseconds. poll(2) does not count suspended time, so a deadline that
    /// passed while the machine slept is noticed at most this much later.
    private static let longestWaitMilliseconds: Int64 = 15_000

    private let shared = Mutex(Shared())
    private let thread = Atomic<UInt>(0)
    private let pipe: WakePipe

    /// Starts the thread; nil when the system has no thread or descriptor left.
    package init?() {
        guard let pipe = WakePipe() else { return nil }
        self.pipe = pipe
        guard HelperThread.start({ [self] in run() }) else { return nil }
    }

    // The pipe is not closed when the thread ends: the caller of `stop` may still be writing to it.
    deinit { pipe.closeBoth() }

    /// True on the loop's own thread.
    package var isCurrent: Bool { thread.load(ordering: .acquiring) == HelperThread.current() }

    /// Takes a job of the actor; callable from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        push(.job(UnownedJob(job)))
    }

    /// Runs `call` on the loop's thread, after the work that is queued already.
    package func post(_ call: @escaping @Sendable () -> Void) {
        push(.call(call))
    }

    /// Runs `call` at once on the loop's thread, otherwise posts it.
    package func perform(_ call: @escaping @Sendable () -> Void) {
        if isCurrent { call() } else { post(call) }
    }

    /// Ends the thread after the work that is queued already; nothing may be posted afterwards.
    package func stop() {
        shared.withLock { $0.stopping = true }
        pipe.signal()
    }

    /// Lets `assumeIsolated` succeed inside callbacks of descriptors and timers.
    package func checkIsolated() {
        precondition(isCurrent, "code of the node ran outside its loop's thread")
    }

    /// Tells the runtime whether the calling thread is this executor's.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func push(_ work: Work) {
        let wake = shared.withLock { shared in
            shared.queue.append(work)
            guard !shared.wakePending else { return false }
            shared.wakePending = true
            return true
        }
        if wake && !isCurrent { pipe.signal() }
    }
}

// Descriptors and timers are for the loop's thread alone.
extension EventLoop {
    /// Calls `handler` whenever the descriptor is ready for one of `interest`, in place of an
    /// earlier watch.
    package func watch(
        _ descriptor: Int32, for interest: Readiness,
        handler: @escaping @Sendable (Readiness) -> Void
    ) {
        checkIsolated()
        shared.withLock { $0.watches.set(descriptor, interest: interest, handler: handler) }
    }

    /// Changes the events that a watched descriptor waits for.
    package func setInterest(_ interest: Readiness, of descriptor: Int32) {
        checkIsolated()
        shared.withLock { $0.watches.setInterest(interest, of: descriptor) }
    }

    /// Forgets a descriptor; call it before closing the descriptor.
    package func unwatch(_ descriptor: Int32) {
        checkIsolated()
        shared.withLock { $0.watches.remove(descriptor) }
    }

    /// Calls `action` once when the uptime clock reaches `uptimeMilliseconds`.
    package func schedule(
        at uptimeMilliseconds: Int64, _ action: @escaping @Sendable () -> Void
    ) -> TimerID {
        checkIsolated()
        return shared.withLock { $0.timers.add(at: uptimeMilliseconds, action) }
    }

    /// Forgets a timer; one that has fired is ignored.
    package func cancel(_ timer: TimerID) {
        checkIsolated()
        shared.withLock { $0.timers.remove(timer) }
    }
}

// This is the body of the thread.
extension EventLoop {
    private func run() {
        thread.store(HelperThread.current(), ordering: .releasing)
        HelperThread.ignoreBrokenPipes()
        var ended = false
        while !ended {
            ended = runQueuedWork()
            runDueTimers()
            if !ended { waitAndDispatch() }
        }
        // Watches and timers hold this loop, and the loop holds them: this lets both go.
        let (watches, timers) = shared.withLock { shared in
            (
                exchange(&shared.watches, with: WatchTable()),
                exchange(&shared.timers, with: TimerTable())
            )
        }
        _ = (watches, timers)
    }

    /// Runs the work that is queued at entry; returns true when the loop was stopped and nothing is
    /// left.
    private func runQueuedWork() -> Bool {
        let work = shared.withLock { shared in
            shared.wakePending = false
            return exchange(&shared.queue, with: [])
        }
        for item in work {
            switch item {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
            case .call(let call): call()
            }
        }
        return shared.withLock { $0.stopping && $0.queue.isEmpty }
    }

    private func runDueTimers() {
        let now = SystemClock.uptimeMilliseconds()
        let bound = shared.withLock { $0.timers.newest }
        // A timer that another timer set waits for the next round, so that descriptors are never
        // starved.
        while let action = shared.withLock({ $0.timers.takeDue(at: now, upTo: bound) }) {
            action()
        }
    }

    private func waitAndDispatch() {
        var (entries, watches, timeout) = shared.withLock { shared in
            let (entries, watches) = shared.watches.pollSet()
            return (entries, watches, waitMilliseconds(shared))
        }
        entries.append(pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0))
        guard unsafe poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
        if let wake = entries.popLast(), wake.revents != 0 { pipe.drain() }
        for (entry, watch) in zip(entries, watches) where entry.revents != 0 {
            // An earlier handler may have closed this descriptor, or reused its number.
            let current = shared.withLock { $0.watches.handler(of: entry.fd, if: watch) }
            current?(Readiness(pollEvents: entry.revents))
        }
    }

    private func waitMilliseconds(_ shared: borrowing Shared) -> Int32 {
        guard shared.queue.isEmpty, !shared.stopping else { return 0 }
        var wait = Self.longestWaitMilliseconds
        if let next = shared.timers.earliest {
            wait = min(wait, max(0, next - SystemClock.uptimeMilliseconds()))
        }
        return Int32(wait)
    }

    private func exchange<T>(_ place: inout T, with new: T) -> T {
        let old = place
        place = new
        return old
    }
}
