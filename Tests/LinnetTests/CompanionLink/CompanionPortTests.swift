import Foundation
import Glibc
import Linnet
import LinnetWire
import Testing

/// One end of the shared directory, with what it was told.
private final class End: Sendable {
    let port: CompanionPort
    let accepted = Collector<PipeCarrier>()
    let arrivals = Collector<Bool>()

    /// Links wait for a day to be taken up: no machine is too slow for a test.
    init(
        _ directory: String, _ side: CompanionSide, _ loop: EventLoop,
        takeUpMilliseconds: Int64 = 86_400_000
    ) throws {
        port = try CompanionPort(
            at: directory, side: side, loop: loop, takeUpMilliseconds: takeUpMilliseconds)
    }

    func start(_ loop: EventLoop) async {
        await loop.run { [port, accepted, arrivals] in
            port.start { event in
                switch event {
                case .arrived: arrivals.add(true)
                case .accepted(let carrier): accepted.add(carrier)
                case .closed: break
                }
            }
        }
    }
}

/// What a carrier delivers; nil stands for its end.
private func collect(_ carrier: PipeCarrier, on loop: EventLoop) async -> Collector<[UInt8]?> {
    let events = Collector<[UInt8]?>()
    await loop.run {
        carrier.start { event in
            switch event {
            case .received(let bytes): events.add(bytes)
            case .ended: events.add(nil)
            }
        }
    }
    return events
}

@Suite(.timeLimit(.minutes(5)))
struct CompanionPortTests {
    private let directory = TemporaryDirectory()
    private let loop: EventLoop

    init() throws {
        loop = try #require(EventLoop())
    }

    private var link: String { "\(directory.path)/link" }

    private func ends() async throws -> (phone: End, watch: End) {
        let phone = try End(link, .phone, loop)
        let watch = try End(link, .watch, loop)
        await phone.start(loop)
        await watch.start(loop)
        return (phone, watch)
    }

    private func dial(_ end: End, _ byte: UInt8 = 1) async throws -> PipeCarrier {
        try #require(await loop.run { end.port.dial(Bytes16(repeating: byte)) })
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: link).sorted()
    }

    @Test func `megabytes go both ways, and the links leave no file behind`() async throws {
        let (phone, watch) = try await ends()
        let dialled = try await dial(watch)
        let accepted = try #require(await phone.accepted.wait(count: 1).first)
        let atPhone = await collect(accepted, on: loop)
        let atWatch = await collect(dialled, on: loop)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ ($0 >> 9)) }
        await loop.run {
            accepted.send(bytes)
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                dialled.send(Array(bytes[start..<start + 100_000]))
            }
        }
        for events in [atPhone, atWatch] {
            let parts = await events.wait { $0.compactMap(\.?.count).reduce(0, +) >= bytes.count }
            #expect(parts.compactMap { $0 }.flatMap { $0 } == bytes)
            #expect(parts.compactMap { $0 }.allSatisfy { $0.count <= 65_532 })
        }
        #expect(try names() == ["phone.lock", "phone.wake", "watch.lock", "watch.wake"])
        let traffic = await loop.run { phone.port.traffic }
        #expect(traffic.sent.frames >= 16)
        #expect(traffic.sent.bytes == 1_000_000 + 4 * traffic.sent.frames)
        #expect(await loop.run { watch.port.traffic.received.bytes } == traffic.sent.bytes)
        loop.stop()
    }

    @Test func `the end comes after everything that was sent`() async throws {
        let (phone, watch) = try await ends()
        let dialled = try await dial(watch)
        let accepted = try #require(await phone.accepted.wait(count: 1).first)
        let atPhone = await collect(accepted, on: loop)
        let atWatch = await collect(dialled, on: loop)
        await loop.run { accepted.send([9]) }
        _ = await atWatch.wait(count: 1)
        await loop.run {
            dialled.send([1, 2])
            dialled.closeAfterFlush()
            dialled.send([3])
        }
        #expect(await atPhone.wait(count: 2) == [[1, 2], nil])
        loop.stop()
    }

    @Test func `a link that nobody takes up ends, and leaves no file behind`() async throws {
        let phone = try End(link, .phone, loop)
        let watch = try End(link, .watch, loop, takeUpMilliseconds: 1)
        await phone.start(loop)
        await watch.start(loop)
        let events = await collect(try await dial(watch), on: loop)
        #expect(await events.wait(count: 1) == [nil])
        #expect(try names() == ["phone.lock", "phone.wake", "watch.lock", "watch.wake"])
        loop.stop()
    }

    @Test func `nobody is dialled who is not there, and who comes says so`() async throws {
        let watch = try End(link, .watch, loop)
        await watch.start(loop)
        #expect(await loop.run { watch.port.dial(Bytes16(repeating: 1)) } == nil)
        #expect(await loop.run { !watch.port.isOtherSideThere })
        let phone = try End(link, .phone, loop)
        await phone.start(loop)
        _ = await watch.arrivals.wait(count: 1)
        #expect(await loop.run { watch.port.isOtherSideThere })
        await loop.run { phone.port.close() }
        #expect(await loop.run { !watch.port.isOtherSideThere })
        loop.stop()
    }

    @Test func `an end belongs to one process, and is free again once it is closed`() async throws {
        let phone = try End(link, .phone, loop)
        #expect(throws: HomeError.self) { try End(link, .phone, loop) }
        await loop.run { phone.port.close() }
        _ = try End(link, .phone, loop)
        loop.stop()
    }

    @Test func `what a killed process left is removed, and what is no pipe is replaced`() throws {
        #expect(unsafe mkdir(link, 0o700) == 0)
        let stale = "watch-\(Bytes16(repeating: 1)).up"
        #expect(unsafe mkfifo("\(link)/\(stale)", 0o600) == 0)
        #expect(unsafe symlink("/etc/passwd", "\(link)/watch.wake") == 0)
        _ = try End(link, .watch, loop)
        #expect(try names() == ["watch.lock", "watch.wake"])
        loop.stop()
    }

    @Test func `a directory that others may enter is refused`() throws {
        #expect(unsafe mkdir(link, 0o755) == 0)
        #expect(throws: HomeError.directoryPermissions(path: link, mode: 0o755)) {
            try End(link, .phone, loop)
        }
        loop.stop()
    }

    @Test func `whatever is written into the wake pipe, the next link is taken up`() async throws {
        let (phone, watch) = try await ends()
        let pipe = unsafe open("\(link)/phone.wake", O_WRONLY | O_NONBLOCK)
        #expect(pipe >= 0)
        let missing = CompanionKnock(.begin, link: Bytes16(repeating: 9)).encoded
        let hostile: [[UInt8]] = [
            [1], [UInt8](repeating: 0xff, count: 4096), missing, missing + missing + [1, 2, 3],
            Array("LNKW".utf8) + [UInt8](repeating: 7, count: 20),
        ]
        for bytes in hostile {
            #expect(unsafe write(pipe, bytes, bytes.count) == bytes.count)
            // What the loop has read before this answers is not mixed with what comes next.
            await loop.run {}
            await loop.run {}
        }
        close(pipe)
        // Garbage that is read together with a knock may hide that knock: the next one counts.
        var count: UInt8 = 20
        while phone.accepted.elements.isEmpty {
            count += 1
            _ = try await dial(watch, count)
            await loop.run {}
            await loop.run {}
        }
        loop.stop()
    }

    @Test func `no more links are taken up than the other side may hold`() async throws {
        let (phone, watch) = try await ends()
        for byte in 1...UInt8(CompanionPort.acceptedLinks) {
            let carrier = try await dial(watch, byte)
            _ = await collect(carrier, on: loop)
            let accepted = await phone.accepted.wait(count: Int(byte))
            _ = await collect(try #require(accepted.last), on: loop)
        }
        _ = try await dial(watch, 99)
        await loop.run {}
        await loop.run {}
        #expect(phone.accepted.elements.count == CompanionPort.acceptedLinks)
        await loop.run { phone.accepted.elements.first?.abort() }
        _ = try await dial(watch, 100)
        _ = await phone.accepted.wait(count: CompanionPort.acceptedLinks + 1)
        loop.stop()
    }

    @Test func `knocks are read whole, and nothing after the first that is none`() {
        let here = CompanionKnock(.here, link: .zero)
        let begin = CompanionKnock(.begin, link: Bytes16(repeating: 5))
        let bytes = here.encoded + begin.encoded
        #expect(bytes.count == 2 * CompanionKnock.byteCount)
        #expect(CompanionKnock.all(in: bytes) == [here, begin])
        #expect(CompanionKnock.all(in: Array(bytes.dropLast())) == [here])
        #expect(CompanionKnock.all(in: Array(bytes.dropFirst())).isEmpty)
        for position in 0..<8 {
            var damaged = bytes
            damaged[position] ^= 0x80
            #expect(CompanionKnock.all(in: damaged).isEmpty)
        }
        #expect(CompanionKnock.readBytes % CompanionKnock.byteCount == 0)
        // POSIX lets writes of up to 512 bytes never mix (PIPE_BUF).
        #expect(CompanionKnock.byteCount <= 512)
    }
}

/// A link whose other side is a test that writes what it likes.
@Suite(.timeLimit(.minutes(5)))
struct PipeCarrierTests {
    private let directory = TemporaryDirectory()
    private let loop: EventLoop

    init() throws {
        loop = try #require(EventLoop())
    }

    private struct Stranger {
        let watch: End
        let up: Int32
        let down: Int32
        let events: Collector<[UInt8]?>
        let carrier: PipeCarrier

        func write(_ bytes: [UInt8]) -> Bool {
            unsafe Glibc.write(up, bytes, bytes.count) == bytes.count
        }

        func end() {
            close(up)
            close(down)
        }
    }

    /// A link that the test began, as seen by the phone, which took it up.
    private func stranger() async throws -> Stranger {
        let link = "\(directory.path)/link"
        let phone = try End(link, .phone, loop)
        await phone.start(loop)
        let name = "\(link)/watch-\(Bytes16(repeating: 3))"
        #expect(unsafe mkfifo("\(name).up", 0o600) == 0)
        #expect(unsafe mkfifo("\(name).down", 0o600) == 0)
        let down = unsafe open("\(name).down", O_RDONLY | O_NONBLOCK)
        let wake = unsafe open("\(link)/phone.wake", O_WRONLY | O_NONBLOCK)
        let knock = CompanionKnock(.begin, link: Bytes16(repeating: 3)).encoded
        #expect(unsafe Glibc.write(wake, knock, knock.count) == knock.count)
        close(wake)
        let carrier = try #require(await phone.accepted.wait(count: 1).first)
        let up = unsafe open("\(name).up", O_WRONLY | O_NONBLOCK)
        #expect(up >= 0 && down >= 0)
        let events = await collect(carrier, on: loop)
        return Stranger(watch: phone, up: up, down: down, events: events, carrier: carrier)
    }

    @Test func `half a frame of a process that ends is dropped, the link ends`() async throws {
        let stranger = try await stranger()
        #expect(stranger.write(CompanionFrame.encoded([1, 2]) + [0, 0, 1]))
        _ = await stranger.events.wait(count: 1)
        #expect(stranger.write([0, 5, 6]))
        stranger.end()
        #expect(await stranger.events.wait(count: 2) == [[1, 2], nil])
        loop.stop()
    }

    @Test(arguments: [[0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0]] as [[UInt8]])
    func `a length that cannot be, or a second taking up, ends the link`(
        bytes: [UInt8]
    ) async throws {
        let stranger = try await stranger()
        #expect(stranger.write(CompanionFrame.encoded([1])))
        // What comes with a length that cannot be is dropped with it.
        _ = await stranger.events.wait(count: 1)
        #expect(stranger.write(bytes))
        #expect(await stranger.events.wait(count: 2) == [[1], nil])
        stranger.end()
        loop.stop()
    }

    @Test func `a reader that never reads ends the link at the queue's limit`() async throws {
        let stranger = try await stranger()
        await loop.run {
            let part = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0...(PipeCarrier.queueByteLimit >> 20) { stranger.carrier.send(part) }
        }
        #expect(await stranger.events.wait(count: 1) == [nil])
        stranger.end()
        loop.stop()
    }
}
