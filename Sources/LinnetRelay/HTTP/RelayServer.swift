import CMicroHTTPD
import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Speaks HTTP/1.1, with TLS where it has a certificate, on connections that it is handed, on the
/// loop's thread. Whatever one of them does, the others have their turn.
@safe
final class RelayServer: @unchecked Sendable {
    private static let sweepMilliseconds: Int64 = 5_000

    let loop: EventLoop
    let desk: RelayDesk
    private let hooks: UnsafeMutablePointer<linnet_relay_hooks>
    weak var front: RelayFront?
    // The state below belongs to the loop's thread; `watch` traps on any other.
    private var daemon: OpaquePointer?
    private var timer: TimerID?
    private var sweeper: TimerID?
    private var isRunning = false
    private var runsAgain = false
    private(set) var isClosing = false
    /// True once another server takes the new connections.
    private(set) var isRetiring = false
    var door = RelayDoor()
    var waits = RelayWaits()
    var waiting: [UInt64: RelayExchange] = [:]
    var lastTicket: UInt64 = 0

    /// Starts; nil when the system has no descriptor or memory left, or the certificate is none.
    init?(loop: EventLoop, desk: RelayDesk, identity: RelayIdentity?) {
        (self.loop, self.desk) = (loop, desk)
        unsafe hooks = .allocate(capacity: 1)
        unsafe hooks.initialize(to: Self.calls)
        unsafe hooks.pointee.requests.context = Unmanaged.passUnretained(self).toOpaque()
        let seconds = UInt32(RelayLimits.idleMilliseconds / 1_000)
        let limits = (UInt32(RelayLimits.connections), RelayLimits.connectionBytes)
        if let identity {
            unsafe daemon = identity.certificate.withCString { certificate in
                unsafe identity.key.withCString { key in
                    unsafe linnet_relay_start(
                        hooks, limits.0, limits.1, seconds, certificate, key)
                }
            }
        } else {
            unsafe daemon = linnet_relay_start(hooks, limits.0, limits.1, seconds, nil, nil)
        }
        guard let daemon = unsafe daemon else { return nil }
        loop.watch(unsafe linnet_http_descriptor(daemon), for: .read) { [weak self] _ in
            self?.run()
        }
        planSweep()
    }

    deinit {
        unsafe hooks.deinitialize(count: 1)
        unsafe hooks.deallocate()
    }

    /// Takes a connection over, and closes it in any case.
    func adopt(_ descriptor: Int32, from remote: SocketAddress) {
        loop.checkIsolated()
        let deadline = SystemClock.uptimeMilliseconds() + RelayLimits.idleMilliseconds
        guard let daemon = unsafe daemon, !isClosing,
            door.admit(descriptor, from: remote.ip, until: deadline)
        else { return SystemCall.close(descriptor) }
        let isTaken = unsafe remote.withSocketAddress { pointer, length in
            unsafe linnet_http_add(daemon, descriptor, pointer, length)
        }
        if isTaken == 0 { door.leave(descriptor) }
        run()
    }

    /// Answers what waits and ends each connection with its next answer; it closes once all of them
    /// have ended.
    func retire() {
        loop.checkIsolated()
        isRetiring = true
        for ticket in Array(waiting.keys) { endWait(ticket) }
    }

    /// Answers what waits, and closes all connections.
    func close() {
        loop.checkIsolated()
        guard let running = unsafe daemon, !isClosing else { return }
        isClosing = true
        for ticket in Array(waiting.keys) { endWait(ticket, .stopping) }
        // The library aborts the process when it stops while a connection is suspended.
        for _ in 0..<3 { unsafe linnet_http_run(running) }
        for timer in [timer, sweeper] { if let timer { loop.cancel(timer) } }
        loop.unwatch(unsafe linnet_http_descriptor(running))
        unsafe MHD_stop_daemon(running)
        unsafe daemon = nil
    }

    /// Lets the library do what there is to do.
    func run() {
        loop.checkIsolated()
        guard let daemon = unsafe daemon, !isClosing else { return }
        if isRunning {
            runsAgain = true
            return
        }
        isRunning = true
        runsAgain = false
        unsafe linnet_http_run(daemon)
        isRunning = false
        if let failure = desk.failure { front?.failed(failure) }
        plan(unsafe linnet_http_wait(daemon))
    }

    private func plan(_ wait: Int64) {
        if let timer { loop.cancel(timer) }
        timer = nil
        let milliseconds = runsAgain ? 0 : wait
        guard milliseconds >= 0 else { return }
        // Even what is due at once waits for the loop's next round: others have their turn.
        let deadline = SystemClock.uptimeMilliseconds() + milliseconds
        timer = loop.schedule(at: deadline) { [weak self] in
            self?.timer = nil
            self?.run()
        }
    }

    /// Ends the connections whose time is over, however little at a time they say.
    private func planSweep() {
        let deadline = SystemClock.uptimeMilliseconds() + Self.sweepMilliseconds
        sweeper = loop.schedule(at: deadline) { [weak self] in
            guard let self, !isClosing else { return }
            if isRetiring, door.isEmpty { return close() }
            let now = SystemClock.uptimeMilliseconds()
            for descriptor in door.late(at: now) {
                _ = shutdown(descriptor, Int32(SHUT_RDWR))
                door.extend(descriptor, until: now + RelayLimits.idleMilliseconds)
            }
            planSweep()
        }
    }
}
