import LinnetDesktop
import Synchronization

/// The reasons to look at the reminders, one after the other.
final class ReminderOccasions: Sendable {
    /// One reason.
    enum Occasion: Sendable {
        /// Something was written, or a time has come.
        case look
        /// Something happened on the desktop.
        case desktop(DesktopEvent)
    }

    /// The most reasons that wait. A look waits once, and only a server that runs wild says more.
    private static let mostWaiting = 1_024

    let stream: AsyncStream<Occasion>
    private let continuation: AsyncStream<Occasion>.Continuation
    private let isLookWaiting = Mutex(false)
    private let isOver = Atomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream(
            of: Occasion.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    }

    /// Asks for a look, unless one waits already.
    func look() {
        let isFirst = isLookWaiting.withLock { waits in
            defer { waits = true }
            return !waits
        }
        if isFirst { continuation.yield(.look) }
    }

    /// Notes that the look begins: what is written from now on asks for another one.
    func begin() { isLookWaiting.withLock { $0 = false } }

    /// True once nothing is to be looked at any more; what waits is passed over.
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Ends the stream.
    func end() {
        isOver.store(true, ordering: .releasing)
        continuation.finish()
    }

    func happened(_ event: DesktopEvent) { continuation.yield(.desktop(event)) }
}
