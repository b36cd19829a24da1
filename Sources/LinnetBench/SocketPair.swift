import CBench
import LinnetMembership
import LinnetReplication

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Two homes on the ends of one TCP connection over loopback, driven by one thread.
///
/// Bytes move in waves: everything that both sides have to say crosses at the same time, as it
/// would over a slow link, so that two waves are one round trip.
final class SocketPair {
    private final class End {
        let home: BenchHome
        let descriptor: Int32
        let link: LinkID
        var meter: FrameMeter
        /// Bytes not written yet, and bytes written that the other end has not read.
        var waiting: [UInt8] = []
        var underWay = 0

        init(_ home: BenchHome, _ descriptor: Int32, _ link: LinkID, handshakeFrames: Int) {
            self.home = home
            self.descriptor = descriptor
            self.link = link
            meter = FrameMeter(handshakeFrames: handshakeFrames)
        }
    }

    private let left: End
    private let right: End
    /// The waves so far; the first in which both sessions were open; the last that brought a batch.
    private(set) var waves = 0
    private(set) var openWave: Int?
    private(set) var lastWave = 0
    /// The time from the first frame after the handshake on, in seconds.
    private(set) var secondsInSession = 0.0
    private var began: Double?
    private static let chunkBytes = 256 << 10

    /// Connects two homes; the left one dials.
    init(_ dialling: BenchHome, _ accepting: BenchHome, _ origin: LinkOrigin = .dialled) throws {
        var ends: [Int32] = [-1, -1]
        try require(unsafe bench_tcp_pair(&ends) == 0, "no connection over loopback")
        let link = LinkID(rawValue: UInt64(bench_now() * 1e6))
        left = End(dialling, ends[0], link, handshakeFrames: 2)
        right = End(accepting, ends[1], link, handshakeFrames: 1)
        for home in [dialling, accepting] {
            home.isInStep = false
            home.receivedChanges = 0
            home.hasClosed = false
        }
        isPairing = origin != .dialled
        openedSessions = (dialling.sessions, accepting.sessions)
        accepting.handle(.linkOpened(link, .accepted))
        dialling.handle(.linkOpened(link, origin))
    }

    private let openedSessions: (Int, Int)
    /// A pairing ends with the end of its session.
    private let isPairing: Bool

    deinit {
        Self.end(left)
        Self.end(right)
    }

    private static func end(_ end: End) {
        close(end.descriptor)
        end.home.handle(.linkClosed(end.link))
        end.home.outgoing.removeAll()
    }

    var link: LinkID { left.link }
    var bytes: Int { left.meter.bytes + right.meter.bytes }
    var bytesInSession: Int { left.meter.bytesInSession + right.meter.bytesInSession }
    var frames: Int { left.meter.frames + right.meter.frames }
    var isInStep: Bool { left.home.isInStep && right.home.isInStep }

    /// Moves bytes until nothing is under way.
    func run() throws {
        while true {
            let start = BenchClock.seconds
            try gather(left)
            try gather(right)
            if began == nil, bytesInSession > 0 { began = start }
            guard left.underWay + right.underWay > 0 else { break }
            waves += 1
            let fromLeft = try take(from: right, sent: left)
            let fromRight = try take(from: left, sent: right)
            try deliver(fromLeft, to: right)
            try deliver(fromRight, to: left)
        }
        if let began { secondsInSession = BenchClock.seconds - began }
    }

    private func gather(_ end: End) throws {
        for (link, bytes) in end.home.outgoing where link == end.link { end.waiting += bytes }
        end.home.outgoing.removeAll(keepingCapacity: true)
        guard !end.waiting.isEmpty else { return }
        let wrote = unsafe write(end.descriptor, end.waiting, end.waiting.count)
        try require(wrote > 0, "the connection over loopback broke")
        end.meter.count(Array(end.waiting[..<wrote]))
        end.waiting.removeFirst(wrote)
        end.underWay += wrote
    }

    /// Reads all that the other end wrote.
    private func take(from end: End, sent: End) throws -> [UInt8] {
        var all: [UInt8] = []
        while sent.underWay > 0 {
            var chunk = [UInt8](repeating: 0, count: min(sent.underWay, Self.chunkBytes))
            let got = unsafe read(end.descriptor, &chunk, chunk.count)
            if got < 0, errno == EAGAIN {
                _ = bench_wait(end.descriptor, end.descriptor, 1_000)
                continue
            }
            try require(got > 0, "the connection over loopback ended")
            sent.underWay -= got
            all += chunk[..<got]
        }
        return all
    }

    private func deliver(_ bytes: [UInt8], to end: End) throws {
        guard !bytes.isEmpty else { return }
        let before = end.home.receivedChanges
        end.home.handle(.received(end.link, bytes))
        try require(isPairing || !end.home.hasClosed, "a session ended: \(end.home.path)")
        if end.home.receivedChanges > before { lastWave = waves }
        let opened = (left.home.sessions, right.home.sessions)
        if openWave == nil, opened.0 > openedSessions.0, opened.1 > openedSessions.1 {
            openWave = waves
        }
    }
}

extension BenchHome {
    /// Makes a newcomer a member of this home's group, over a connection of its own.
    func admit(_ newcomer: BenchHome) throws {
        let pair = try SocketPair(newcomer, self, .dialledToPair(.code(try pairingCode())))
        try pair.run()
        guard let request else { throw BenchError("the newcomer did not ask") }
        handle(.pairingDecision(request, accept: true, role: .admin))
        try pair.run()
        try require(newcomer.isMember, "the newcomer is no member")
    }
}
