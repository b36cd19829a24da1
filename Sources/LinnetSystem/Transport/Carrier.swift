/// The events that a carrier tells its node.
public enum CarrierEvent: Sendable {
    /// Bytes came in, in order.
    case received([UInt8])
    /// The other side is gone or the carrier failed; nothing follows.
    case ended
}

/// Carries the bytes of one link between two nodes, in order and without loss until it ends.
///
/// TCP is one carrier. Where sockets are not allowed (an Apple Watch, a sandbox), an application
/// gives a carrier of its own to `Node.attach(_:isInitiator:)`. The bytes are encrypted and
/// authenticated by the node; a carrier needs to keep no secret.
public protocol Carrier: AnyObject, Sendable {
    /// Starts the delivery of events; called once. Events may come from any one thread.
    func start(_ events: @escaping @Sendable (CarrierEvent) -> Void)

    /// Takes bytes to carry. A carrier whose queue is full ends the link; it drops no bytes before
    /// that.
    func send(_ bytes: [UInt8])

    /// Carries the bytes that were sent so far, then ends the link. No event follows.
    func closeAfterFlush()

    /// Ends the link at once. No event follows.
    func abort()
}
