#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One link between a phone and its watch, over two pipes. Everything runs on the loop's thread.
///
/// The kernel closes the pipes of a process that ends, however it ends, so the other side knows at
/// once. Only whole frames are delivered: a frame that a killed process had half written is
/// dropped.
package final class PipeCarrier: Carrier, @unchecked Sendable {
    private enum Phase {
        case idle
        case open(@Sendable (CarrierEvent) -> Void)
        case flushing
        case closed
    }

    /// The bytes that may wait for the pipe before the link ends; flow control keeps well below.
    package static let queueByteLimit = 16 << 20
    /// The time for writing the queued bytes before a link closes, in milliseconds.
    package static let closeMilliseconds: Int64 = 2_000
    /// The time for the other side to take a link up, in milliseconds, unless the port is told
    /// another.
    package static let takeUpMilliseconds: Int64 = 5_000

    private let loop: EventLoop
    private let port: CompanionPort
    private let reading: Int32
    private let takeUpMilliseconds: Int64
    // This belongs to the loop's thread, as everything below does.
    private var writing: Int32?
    /// Opens the end to write to, once the other side has taken the link up.
    private var openWriting: (() -> Int32?)?
    private var phase = Phase.idle
    private var reader = CompanionFrameReader()
    private var queue = CompanionFrameQueue()
    private var frame: [UInt8] = []
    private var written = 0
    private var flushIsDue = false
    private var limit: TimerID?
    private var onClose: (() -> Void)?

    /// Takes up a link that the other side began, with its ends.
    init(taking reading: Int32, _ writing: Int32, port: CompanionPort, loop: EventLoop) {
        self.reading = reading
        self.writing = writing
        takeUpMilliseconds = 0
        self.port = port
        self.loop = loop
        frame = CompanionFrame.taken
    }

    /// Begins a link that waits for the other side; `openWriting` opens the other end once that is
    /// there.
    init(
        beginning reading: Int32, port: CompanionPort, loop: EventLoop, takeUpMilliseconds: Int64,
        openWriting: @escaping () -> Int32?, onClose: @escaping () -> Void
    ) {
        self.reading = reading
        self.takeUpMilliseconds = takeUpMilliseconds
        self.openWriting = openWriting
        self.onClose = onClose
        self.port = port
        self.loop = loop
    }

    // Only a link whose loop has ended is still open here.
    deinit {
        if case .closed = phase { return }
        SystemCall.close(reading)
        if let writing { SystemCall.close(writing) }
    }

    /// True when both sides hold the link.
    package var isTakenUp: Bool { writing != nil }

    /// Starts reading.
    package func start(_ events: @escaping @Sendable (CarrierEvent) -> Void) {
        guard case .idle = phase else { return }
        phase = .open(events)
        loop.watch(reading, for: .read) { [self] _ in read() }
        if writing == nil {
            let deadline = SystemClock.uptimeMilliseconds() + takeUpMilliseconds
            limit = loop.schedule(at: deadline) { [self] in ended() }
        } else {
            watchWriting()
            flush()
        }
    }

    /// Queues bytes; those of one turn of the loop leave together.
    package func send(_ bytes: [UInt8]) {
        loop.checkIsolated()
        guard case .open = phase, !bytes.isEmpty else { return }
        queue.append(bytes)
        guard queue.byteCount <= Self.queueByteLimit else { return ended() }
        guard !flushIsDue, writing != nil else { return }
        flushIsDue = true
        loop.post { [self] in
            flushIsDue = false
            flush()
        }
    }

    /// Writes the queued bytes, then closes.
    package func closeAfterFlush() {
        loop.checkIsolated()
        switch phase {
        case .idle: close()
        case .open where writing == nil: close()
        case .open:
            phase = .flushing
            loop.unwatch(reading)
            let deadline = SystemClock.uptimeMilliseconds() + Self.closeMilliseconds
            limit = loop.schedule(at: deadline) { [self] in close() }
            flush()
        case .flushing, .closed: break
        }
    }

    /// Closes at once; queued bytes are lost.
    package func abort() {
        loop.checkIsolated()
        close()
    }

    private func flush() {
        guard let writing else { return }
        if case .closed = phase { return }
        while true {
            if written == frame.count {
                guard let next = queue.takeFrame() else { break }
                (frame, written) = (next, 0)
                port.sent(next.count)
            }
            switch NamedPipe.write(writing, frame, from: written) {
            case .count(let count): written += count
            case .wouldBlock: return loop.setInterest([.write, .broken], of: writing)
            case .ended: return ended()
            }
        }
        (frame, written) = ([], 0)
        if case .flushing = phase { return close() }
        loop.setInterest(.broken, of: writing)
    }

    /// Watches the end to write to; without interest in writing, it only tells that the other side
    /// closed.
    private func watchWriting() {
        guard let writing else { return }
        loop.watch(writing, for: .broken) { [self] readiness in
            if readiness.contains(.broken) { return otherSideClosed() }
            flush()
        }
    }

    private func otherSideClosed() {
        // The bytes that it wrote before it closed are still in the pipe.
        while case .open = phase, isReadable { read() }
        ended()
    }

    private var isReadable: Bool {
        var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0 && Int32(entry.revents) & Int32(POLLIN) != 0
    }

    private func read() {
        var bytes: [UInt8] = []
        switch NamedPipe.read(reading, into: &bytes, limit: CompanionFrame.byteLimit) {
        case .wouldBlock: break
        // Nobody has opened the other end of a link that waits to be taken up.
        case .ended where writing == nil: break
        case .ended: ended()
        case .count: received(bytes)
        }
    }

    private func received(_ bytes: [UInt8]) {
        guard case .open(let events) = phase else { return }
        guard let frames = reader.read(bytes) else { return ended() }
        for frame in frames {
            if case .closed = phase { return }
            if frame.isEmpty {
                guard takeUp() else { return ended() }
            } else {
                guard isTakenUp else { return ended() }
                port.received(frame.count + CompanionFrame.headBytes)
                events(.received(frame))
            }
        }
    }

    /// Takes note that the other side has taken the link up. It says so once, and only on a link
    /// that this side began.
    private func takeUp() -> Bool {
        guard let open = openWriting, let descriptor = open() else { return false }
        openWriting = nil
        writing = descriptor
        if let limit { loop.cancel(limit) }
        limit = nil
        onClose?()
        onClose = nil
        watchWriting()
        flush()
        return true
    }

    private func ended() {
        guard case .open(let events) = phase else { return close() }
        close()
        events(.ended)
    }

    private func close() {
        if case .closed = phase { return }
        phase = .closed
        if let limit { loop.cancel(limit) }
        limit = nil
        loop.unwatch(reading)
        SystemCall.close(reading)
        if let writing {
            loop.unwatch(writing)
            SystemCall.close(writing)
        }
        queue = CompanionFrameQueue()
        openWriting = nil
        onClose?()
        onClose = nil
        port.closed(self)
    }
}
