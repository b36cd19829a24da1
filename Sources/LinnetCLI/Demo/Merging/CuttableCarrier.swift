import LinnetSystem
import Synchronization

/// A carrier between two nodes of this process that somebody else can cut, as a network would.
final class CuttableCarrier: Carrier {
    private let inner: FrameCarrier
    private let listener = Mutex<(@Sendable (CarrierEvent) -> Void)?>(nil)

    private init(_ inner: FrameCarrier) { self.inner = inner }

    /// Makes two connected ends.
    static func pair() -> (CuttableCarrier, CuttableCarrier) {
        let (near, far) = FrameCarrier.pair()
        return (CuttableCarrier(near), CuttableCarrier(far))
    }

    /// Ends the link for both nodes; what is under way is lost.
    func cut() {
        let listener = listener.withLock { $0.take() }
        inner.abort()
        listener?(.ended)
    }

    func start(_ events: @escaping @Sendable (CarrierEvent) -> Void) {
        listener.withLock { $0 = events }
        inner.start(events)
    }

    func send(_ bytes: [UInt8]) { inner.send(bytes) }

    func closeAfterFlush() {
        listener.withLock { $0 = nil }
        inner.closeAfterFlush()
    }

    func abort() {
        listener.withLock { $0 = nil }
        inner.abort()
    }
}
