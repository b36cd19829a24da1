#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One attempt to open a TCP connection. Everything runs on the loop's thread.
package final class TCPDial: @unchecked Sendable {
    /// The time for the connection to open, in milliseconds.
    package static let limitMilliseconds: Int64 = 5_000

    private let address: SocketAddress
    private let loop: EventLoop
    // The state below belongs to the loop's thread.
    private var descriptor: Int32?
    private var limit: TimerID?
    private var finished: (@Sendable (Int32?) -> Void)?

    /// Starts the attempt; `finished` is called once, later, with a connected socket or nil.
    package init(
        _ address: SocketAddress, loop: EventLoop, finished: @escaping @Sendable (Int32?) -> Void
    ) {
        self.address = address
        self.loop = loop
        self.finished = finished
        begin()
    }

    // Only an attempt whose loop has ended is still open here.
    deinit {
        if let descriptor { SystemCall.close(descriptor) }
    }

    /// Gives up; `finished` is not called any more.
    package func cancel() {
        finished = nil
        end(connected: false)
    }

    private func begin() {
        guard let descriptor = Socket.stream(family: address.family) else { return failLater() }
        self.descriptor = descriptor
        Socket.tune(descriptor)
        let failure = Socket.connect(descriptor, to: address)
        guard failure == 0 || failure == EINPROGRESS || failure == EINTR else { return failLater() }
        loop.watch(descriptor, for: .write) { [self] _ in
            end(connected: Socket.pendingError(descriptor) == 0)
        }
        let deadline = SystemClock.uptimeMilliseconds() + Self.limitMilliseconds
        limit = loop.schedule(at: deadline) { [self] in end(connected: false) }
    }

    /// Reports the failure later: while `init` runs, the caller has no name for this attempt yet.
    private func failLater() {
        loop.post { [self] in end(connected: false) }
    }

    private func end(connected: Bool) {
        if let limit { loop.cancel(limit) }
        limit = nil
        let report = finished
        finished = nil
        let socket = descriptor
        descriptor = nil
        if let socket {
            loop.unwatch(socket)
            if !connected || report == nil { SystemCall.close(socket) }
        }
        report?(connected ? socket : nil)
    }
}
