/// The frames and bytes that one side of a link between phone and watch has carried.
public struct CompanionTraffic: Equatable, Sendable {
    /// The counts of one direction.
    public struct Direction: Equatable, Sendable {
        /// The number of frames, each of at most 64 KiB.
        public internal(set) var frames: UInt64 = 0
        /// The bytes of the frames, their lengths included.
        public internal(set) var bytes: UInt64 = 0
        /// The number of frames that came after two seconds of silence: each wakes a device that
        /// sleeps.
        public internal(set) var wakes: UInt64 = 0

        /// Makes counts from known numbers.
        package init(frames: UInt64 = 0, bytes: UInt64 = 0, wakes: UInt64 = 0) {
            self.frames = frames
            self.bytes = bytes
            self.wakes = wakes
        }
    }

    /// The frames that this device sent.
    public internal(set) var sent: Direction
    /// The frames that this device received.
    public internal(set) var received: Direction

    /// Makes counts from known numbers.
    package init(sent: Direction = Direction(), received: Direction = Direction()) {
        self.sent = sent
        self.received = received
    }
}

/// Counts frames, and those among them that are wakes.
package struct CompanionMeter: Equatable, Sendable {
    /// The silence after which a device is taken to sleep, in milliseconds.
    package static let quietMilliseconds: Int64 = 2_000

    /// The counts so far.
    package private(set) var traffic = CompanionTraffic()
    private var lastSent: Int64?
    private var lastReceived: Int64?

    /// Begins with nothing carried.
    package init() {}

    /// Counts a frame that leaves.
    package mutating func sent(bytes: Int, uptimeMilliseconds now: Int64) {
        Self.count(bytes, &traffic.sent, &lastSent, now)
    }

    /// Counts a frame that came.
    package mutating func received(bytes: Int, uptimeMilliseconds now: Int64) {
        Self.count(bytes, &traffic.received, &lastReceived, now)
    }

    private static func count(
        _ bytes: Int, _ direction: inout CompanionTraffic.Direction, _ last: inout Int64?,
        _ now: Int64
    ) {
        direction.frames &+= 1
        direction.bytes &+= UInt64(clamping: bytes)
        if last.map({ now - $0 >= quietMilliseconds }) ?? true { direction.wakes &+= 1 }
        last = now
    }
}

/// The directory that a phone and its watch share, seen from one of them.
public struct CompanionLinkStatus: Equatable, Sendable {
    /// This device's end: `phone` or `watch`.
    public let side: String
    /// True when a process of the other side is there.
    public let isPresent: Bool
    /// True when a session with the other side is open over it.
    public let isReachable: Bool
    /// The frames and bytes that were carried since the node was started.
    public let traffic: CompanionTraffic

    /// Joins the facts.
    package init(side: String, isPresent: Bool, isReachable: Bool, traffic: CompanionTraffic) {
        self.side = side
        self.isPresent = isPresent
        self.isReachable = isReachable
        self.traffic = traffic
    }
}
