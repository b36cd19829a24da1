package import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The end of a link between a phone and its watch that a device has.
package enum CompanionSide: String, Sendable {
    /// The phone, or a device that stands in for one.
    case phone
    /// The watch.
    case watch

    /// The end of the other device.
    package var other: CompanionSide { self == .phone ? .watch : .phone }
}

/// One device's place in the directory that a phone and its watch share. It stands in for what the
/// operating system of such a pair offers its apps instead of sockets.
///
/// Each side has a pipe to be woken by, which is open while its process runs: its absence shows at
/// once, and nothing stale can wait in it. A link is a pair of pipes of its own; the side that
/// begins it makes them, names them in the other's wake pipe, and removes them again. Bytes in any
/// of them may come from any process of the same user: the session above proves who speaks.
/// Everything runs on the loop's thread.
package final class CompanionPort: @unchecked Sendable {
    /// The number of links that the other side may hold open at once.
    package static let acceptedLinks = 4

    /// An event at the port.
    package enum PortEvent: Sendable {
        /// The other side's process came.
        case arrived
        /// The other side began a link.
        case accepted(PipeCarrier)
        /// A link is closed.
        case closed
    }

    /// The end of the link that this device has.
    package let side: CompanionSide
    private let directory: OpenFile
    private let lock: OpenFile
    private let wake: Int32
    private let loop: EventLoop
    private let takeUpMilliseconds: Int64
    // These belong to the loop's thread.
    private var isOpen = true
    private var handler: (@Sendable (PortEvent) -> Void)?
    private var open: [ObjectIdentifier: PipeCarrier] = [:]
    private var accepted: [ObjectIdentifier] = []
    private var meter = CompanionMeter()

    /// Takes one end in the directory, which it makes when it is missing. Only one process at a
    /// time may have an end. A link that the other side does not take up in time ends.
    package init(
        at path: String, side: CompanionSide, loop: EventLoop,
        takeUpMilliseconds: Int64 = PipeCarrier.takeUpMilliseconds
    ) throws(HomeError) {
        let directory = try Self.directory(at: path)
        let lock = try directory.file("\(side.rawValue).lock", O_RDWR | O_CREAT)
        if flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
            throw .locked(path: lock.path, processID: nil)
        }
        // These are links that this side began in an earlier life.
        for name in try directory.names() where name.hasPrefix("\(side.rawValue)-") {
            try directory.remove(name)
        }
        let name = Self.wakeName(side)
        var wake = NamedPipe.open(name, in: directory, O_RDWR)
        if wake == nil {
            try directory.remove(name)
            let isMade = NamedPipe.make(name, in: directory)
            let code = errno
            wake = isMade ? NamedPipe.open(name, in: directory, O_RDWR) : nil
            if wake == nil {
                throw .system(call: "mkfifo", path: "\(path)/\(name)", code: code)
            }
        }
        self.wake = wake ?? -1
        self.directory = directory
        self.lock = lock
        self.side = side
        self.loop = loop
        self.takeUpMilliseconds = takeUpMilliseconds
    }

    // Only a port whose loop has ended is still open here.
    deinit {
        if isOpen { SystemCall.close(wake) }
    }

    /// The frames and bytes carried so far.
    package var traffic: CompanionTraffic { meter.traffic }

    /// True when the other side's process is there now.
    package var isOtherSideThere: Bool {
        guard let descriptor = openOtherWake() else { return false }
        SystemCall.close(descriptor)
        return true
    }

    /// True when both sides hold a link.
    package var isReachable: Bool { open.values.contains(where: \.isTakenUp) }

    /// Begins to listen, and tells the other side that this one is here.
    package func start(_ handler: @escaping @Sendable (PortEvent) -> Void) {
        loop.checkIsolated()
        self.handler = handler
        loop.watch(wake, for: .read) { [self] _ in woken() }
        _ = knock(CompanionKnock(.here, link: Bytes16.zero))
    }

    /// Begins a link under a random name; returns nil when the other side is not there, or when the
    /// system refuses.
    package func dial(_ link: Bytes16) -> PipeCarrier? {
        loop.checkIsolated()
        guard isOpen, handler != nil, isOtherSideThere else { return nil }
        let names = LinkNames(side, link)
        guard NamedPipe.make(names.down, in: directory) else { return nil }
        guard NamedPipe.make(names.up, in: directory),
            let reading = NamedPipe.open(names.down, in: directory, O_RDONLY)
        else {
            remove(names)
            return nil
        }
        guard knock(CompanionKnock(.begin, link: link)) else {
            SystemCall.close(reading)
            remove(names)
            return nil
        }
        let carrier = PipeCarrier(
            beginning: reading, port: self, loop: loop, takeUpMilliseconds: takeUpMilliseconds,
            openWriting: { [self] in NamedPipe.open(names.up, in: directory, O_WRONLY) },
            onClose: { [self] in remove(names) })
        open[ObjectIdentifier(carrier)] = carrier
        return carrier
    }

    /// Gives the place up; links that are open go on until they are closed.
    package func close() {
        loop.checkIsolated()
        guard isOpen else { return }
        isOpen = false
        loop.unwatch(wake)
        SystemCall.close(wake)
        flock(lock.descriptor, LOCK_UN)
    }

    func sent(_ bytes: Int) {
        meter.sent(bytes: bytes, uptimeMilliseconds: SystemClock.uptimeMilliseconds())
    }

    func received(_ bytes: Int) {
        meter.received(bytes: bytes, uptimeMilliseconds: SystemClock.uptimeMilliseconds())
    }

    func closed(_ carrier: PipeCarrier) {
        open[ObjectIdentifier(carrier)] = nil
        accepted.removeAll { $0 == ObjectIdentifier(carrier) }
        handler?(.closed)
    }
}

extension CompanionPort {
    /// Opens the directory, which it makes with mode 0700 when it is missing; throws when it
    /// belongs to another user or others may enter it.
    private static func directory(at path: String) throws(HomeError) -> OpenFile {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .system(call: "mkdir", path: path, code: errno)
        }
        let directory = try OpenFile.directory(at: path)
        let status = try directory.status()
        guard status.st_uid == geteuid() else {
            throw .directoryOwner(path: path, userID: status.st_uid)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .directoryPermissions(path: path, mode: UInt32(status.st_mode & 0o7777))
        }
        return directory
    }

    private static func wakeName(_ side: CompanionSide) -> String { "\(side.rawValue).wake" }

    private func openOtherWake() -> Int32? {
        NamedPipe.open(Self.wakeName(side.other), in: directory, O_WRONLY)
    }

    /// Writes a knock at once and whole; returns false when nobody is there, or when the pipe is
    /// full.
    private func knock(_ knock: CompanionKnock) -> Bool {
        guard let descriptor = openOtherWake() else { return false }
        defer { SystemCall.close(descriptor) }
        let bytes = knock.encoded
        return NamedPipe.write(descriptor, bytes, from: 0) == .count(bytes.count)
    }

    private func woken() {
        var bytes: [UInt8] = []
        guard case .count = NamedPipe.read(wake, into: &bytes, limit: CompanionKnock.readBytes)
        else { return }
        for knock in CompanionKnock.all(in: bytes) {
            guard isOpen, let handler else { return }
            switch knock.kind {
            case .here: handler(.arrived)
            case .begin: if let carrier = take(knock.link) { handler(.accepted(carrier)) }
            }
        }
    }

    /// Takes up a link that the other side began.
    private func take(_ link: Bytes16) -> PipeCarrier? {
        guard accepted.count < Self.acceptedLinks else { return nil }
        let names = LinkNames(side.other, link)
        guard let reading = NamedPipe.open(names.up, in: directory, O_RDONLY) else { return nil }
        guard let writing = NamedPipe.open(names.down, in: directory, O_WRONLY) else {
            SystemCall.close(reading)
            return nil
        }
        let carrier = PipeCarrier(taking: reading, writing, port: self, loop: loop)
        open[ObjectIdentifier(carrier)] = carrier
        accepted.append(ObjectIdentifier(carrier))
        return carrier
    }

    private func remove(_ names: LinkNames) {
        try? directory.remove(names.up)
        try? directory.remove(names.down)
    }
}

/// The names of a link's two pipes: up from the side that began it, down to that side.
private struct LinkNames {
    let up: String
    let down: String

    init(_ side: CompanionSide, _ link: Bytes16) {
        up = "\(side.rawValue)-\(link).up"
        down = "\(side.rawValue)-\(link).down"
    }
}

/// The message that one side writes into the other's wake pipe: 24 bytes, written at once, so that
/// those of two writers never mix.
package struct CompanionKnock: Equatable, Sendable {
    /// The reason why the other side is woken.
    package enum Kind: UInt8, Sendable {
        /// A process took its place.
        case here = 1
        /// A link waits to be taken up.
        case begin = 2
    }

    /// The bytes of a knock.
    package static let byteCount = 24
    /// The bytes that are read at once: a whole number of knocks.
    package static let readBytes = 170 * byteCount
    private static let magic = Array("LNKW".utf8)

    /// The reason why the other side is woken.
    package let kind: Kind
    /// The link that waits; zero when none does.
    package let link: Bytes16

    /// Makes a knock of its two parts.
    package init(_ kind: Kind, link: Bytes16) {
        self.kind = kind
        self.link = link
    }

    /// The knock as bytes.
    package var encoded: [UInt8] {
        Self.magic + [kind.rawValue, 0, 0, 0] + link.array
    }

    /// Returns the knocks in bytes that were read, up to the first bytes that are not a knock.
    package static func all(in bytes: [UInt8]) -> [CompanionKnock] {
        var knocks: [CompanionKnock] = []
        for start in stride(from: 0, to: bytes.count, by: byteCount) {
            let part = bytes[start..<min(start + byteCount, bytes.count)]
            guard part.count == byteCount, part.starts(with: magic),
                let kind = Kind(rawValue: part[start + 4]),
                part[(start + 5)..<(start + 8)].allSatisfy({ $0 == 0 }),
                let link = Bytes16(Array(part.dropFirst(8)))
            else { return knocks }
            knocks.append(CompanionKnock(kind, link: link))
        }
        return knocks
    }
}
