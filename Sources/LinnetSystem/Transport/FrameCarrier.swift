import Synchronization

/// Carries a link inside one process as messages of at most 64 KiB, the shape of WatchConnectivity.
///
/// Two ends make a pair; each delivers on its own queue of messages, so the two nodes may live on
/// different threads. It shows that nothing above the carrier depends on sockets.
public final class FrameCarrier: Carrier {
    /// The most bytes of one message.
    public static let frameByteLimit = 64 << 10

    private struct State {
        var events: (@Sendable (CarrierEvent) -> Void)?
        var waiting: [[UInt8]] = []
        var isDelivering = false
        var peerEnded = false
        var isClosed = false
    }

    private final class End: Sendable {
        let state = Mutex(State())
    }

    private let near: End
    private let far: End

    private init(near: End, far: End) {
        self.near = near
        self.far = far
    }

    /// Makes two connected ends.
    public static func pair() -> (FrameCarrier, FrameCarrier) {
        let (first, second) = (End(), End())
        return (FrameCarrier(near: first, far: second), FrameCarrier(near: second, far: first))
    }

    /// Starts the delivery of the messages that the other end sends.
    public func start(_ events: @escaping @Sendable (CarrierEvent) -> Void) {
        near.state.withLock { $0.events = events }
        Self.deliver(near)
    }

    /// Cuts the bytes into frames and hands them to the other end.
    public func send(_ bytes: [UInt8]) {
        guard near.state.withLock({ !$0.isClosed }) else { return }
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.frameByteLimit, bytes.count)
            far.state.withLock { $0.waiting.append(Array(bytes[start..<end])) }
            start = end
        }
        Self.deliver(far)
    }

    /// Ends the link after delivering the messages that were sent.
    public func closeAfterFlush() { abort() }

    /// Ends the link.
    public func abort() {
        near.state.withLock { state in
            state.isClosed = true
            state.events = nil
            state.waiting = []
        }
        far.state.withLock { $0.peerEnded = true }
        Self.deliver(far)
    }

    /// Delivers the messages that wait, one caller at a time, so that their order holds.
    private static func deliver(_ end: End) {
        let mine = end.state.withLock { state in
            guard !state.isDelivering, state.events != nil else { return false }
            state.isDelivering = true
            return true
        }
        guard mine else { return }
        while let (events, event) = end.state.withLock({ next(&$0) }) { events(event) }
    }

    /// Returns the next event; nil ends the caller's turn.
    private static func next(
        _ state: inout State
    ) -> ((@Sendable (CarrierEvent) -> Void), CarrierEvent)? {
        guard let events = state.events else {
            state.isDelivering = false
            return nil
        }
        if !state.waiting.isEmpty { return (events, .received(state.waiting.removeFirst())) }
        guard state.peerEnded else {
            state.isDelivering = false
            return nil
        }
        state.events = nil
        return (events, .ended)
    }
}
