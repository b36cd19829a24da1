import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connected TCP socket as a carrier. Everything runs on the loop's thread.
package final class TCPLink: Carrier, @unchecked Sendable {
    private enum Phase {
        case idle
        case open(@Sendable (CarrierEvent) -> Void)
        case flushing
        case lingering
        case closed
    }

    /// The bytes that may wait for the kernel before the link ends; flow control keeps well below.
    package static let writeQueueByteLimit = 16 << 20
    /// The time for writing the queued bytes and then for the peer to close too, in milliseconds.
    package static let closeMilliseconds: Int64 = 2_000
    private static let readByteCount = 64 << 10
    private static let lingeringByteLimit = 256 << 10

    /// The peer's address.
    package let remote: SocketAddress
    private let descriptor: Int32
    private let loop: EventLoop
    // The state below belongs to the loop's thread; `watch` and `schedule` trap on any other.
    private var phase = Phase.idle
    private var queue = WriteQueue()
    private var discarded = 0
    private var limit: TimerID?
    private var onClose: (@Sendable () -> Void)?

    /// Takes over a connected, non-blocking socket. `onClose` runs once when the socket is closed.
    package init(
        adopting descriptor: Int32, remote: SocketAddress, loop: EventLoop,
        onClose: (@Sendable () -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.remote = remote
        self.loop = loop
        self.onClose = onClose
    }

    // Only a link whose loop has ended is still open here.
    deinit {
        if case .closed = phase { return }
        SystemCall.close(descriptor)
    }

    /// Starts reading.
    package func start(_ events: @escaping @Sendable (CarrierEvent) -> Void) {
        guard case .idle = phase else { return }
        phase = .open(events)
        loop.watch(descriptor, for: .read) { [self] in ready($0) }
    }

    /// Writes at once what the kernel takes and queues the rest.
    package func send(_ bytes: [UInt8]) {
        loop.checkIsolated()
        guard case .open(let events) = phase, !bytes.isEmpty else { return }
        queue.append(bytes)
        guard queue.byteCount <= Self.writeQueueByteLimit else { return fail(events) }
        flush()
    }

    /// Writes the queued bytes, then tells the peer that nothing follows, and closes when the peer
    /// does too.
    package func closeAfterFlush() {
        loop.checkIsolated()
        switch phase {
        case .idle: close()
        case .open: beginClosing()
        case .flushing, .lingering, .closed: break
        }
    }

    /// Closes at once; queued bytes are lost.
    package func abort() {
        loop.checkIsolated()
        close()
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.write) { flush() }
        if !readiness.isDisjoint(with: [.read, .broken]) { read() }
    }

    private func flush() {
        while let (bytes, start) = queue.first {
            switch Socket.send(descriptor, bytes, from: start) {
            case .count(let count): queue.consume(count)
            case .wouldBlock: return updateInterest()
            case .failed:
                if case .open(let events) = phase { return fail(events) }
                return close()
            }
        }
        if case .flushing = phase { return linger() }
        updateInterest()
    }

    private func updateInterest() {
        loop.setInterest(queue.isEmpty ? .read : [.read, .write], of: descriptor)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.readByteCount)
        switch Socket.receive(descriptor, into: &buffer) {
        case .wouldBlock: break
        case .failed, .count(0): ended()
        case .count(let count): received(Array(buffer.prefix(count)))
        }
    }

    private func received(_ bytes: [UInt8]) {
        if case .open(let events) = phase { return events(.received(bytes)) }
        discarded += bytes.count
        if discarded > Self.lingeringByteLimit { close() }
    }

    private func ended() {
        if case .open(let events) = phase { return fail(events) }
        close()
    }

    private func fail(_ events: @Sendable (CarrierEvent) -> Void) {
        close()
        events(.ended)
    }

    private func beginClosing() {
        phase = .flushing
        let deadline = SystemClock.uptimeMilliseconds() + Self.closeMilliseconds
        limit = loop.schedule(at: deadline) { [self] in close() }
        flush()
    }

    /// Reads on and throws away until the peer closes. Closing a socket with unread bytes makes the
    /// kernel reset the connection, which can destroy our last message on its way.
    private func linger() {
        phase = .lingering
        shutdown(descriptor, Int32(SHUT_WR))
        loop.setInterest(.read, of: descriptor)
    }

    private func close() {
        if case .closed = phase { return }
        phase = .closed
        if let limit { loop.cancel(limit) }
        loop.unwatch(descriptor)
        SystemCall.close(descriptor)
        queue = WriteQueue()
        let closed = onClose
        onClose = nil
        closed?()
    }
}

/// The bytes that wait to be written, in order.
private struct WriteQueue {
    private var chunks: [[UInt8]] = []
    private var next = 0
    private var start = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { byteCount == 0 }

    /// The chunk to write now, and the byte at which to begin in it.
    var first: ([UInt8], Int)? { next < chunks.count ? (chunks[next], start) : nil }

    mutating func append(_ bytes: [UInt8]) {
        chunks.append(bytes)
        byteCount += bytes.count
    }

    mutating func consume(_ count: Int) {
        byteCount -= count
        start += count
        guard next < chunks.count, start >= chunks[next].count else { return }
        chunks[next] = []
        next += 1
        start = 0
        if next == chunks.count || next > 64 {
            chunks.removeFirst(next)
            next = 0
        }
    }
}
