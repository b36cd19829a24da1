import Glibc
import Linnet
import LinnetCRDT
import LinnetControl
import LinnetWire
import Testing

struct ControlServerTests {
    let directory = TemporaryDirectory()

    /// A server on a loop of its own, which answers with what it was asked.
    private final class Running: Sendable {
        let loop: EventLoop
        let home: Home
        private let server: ControlServer

        init(at path: String) async throws {
            let home = try Home.create(at: path)
            let loop = try #require(EventLoop())
            self.home = home
            self.loop = loop
            server = try await withCheckedThrowingContinuation { continuation in
                loop.post {
                    let result = Result {
                        try ControlServer(home: home, loop: loop) { connection in
                            connection.onMessage = {
                                [weak connection] (number, reader) throws(WireError) in
                                try Self.answer(number, &reader, connection)
                            }
                        }
                    }
                    continuation.resume(with: result)
                }
            }
        }

        func stop() async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                loop.post { [self] in
                    server.close()
                    continuation.resume()
                }
            }
            loop.stop()
        }

        /// Fails to rename, lists as many thousand records as the collection's number says, closes
        /// on a cancel, and does nothing else.
        private static func answer(
            _ number: UInt64, _ reader: inout CBORReader, _ connection: ControlConnection?
        ) throws(WireError) {
            if try ControlReply(number, from: &reader) != nil {
                connection?.close()
                return
            }
            switch try NodeRequests.read(number, from: &reader) {
            case let request as RenameRequest:
                connection?.send(
                    ControlResponse<ControlReceipt>.failed(ControlFailure(.failed, request.name)))
            case let request as ListRequest:
                let text = String(repeating: "x", count: 999)
                let record = RecordView(
                    collection: request.collection, id: ControlMessageTests.id("r"),
                    fields: [FieldValues(1, [.text(text)])])
                for _ in 0..<request.collection {
                    connection?.send(
                        ControlResponse.answer([RecordView](repeating: record, count: 1_000)))
                }
                connection?.send(ControlResponse<[RecordView]>.done)
            default: connection?.send(ControlResponse<NoAnswer>.done)
            }
        }
    }

    @Test func `requests are answered in order, on one connection and on several`() async throws {
        let running = try await Running(at: directory.path)
        let first = try ControlClient(running.home)
        let second = try ControlClient(running.home)
        for number in 0..<20 {
            try first.send(RenameRequest("first \(number)"))
            try second.send(RenameRequest("second \(number)"))
        }
        for number in 0..<20 {
            let (one, other) = (
                ControlResponse<ControlReceipt>.failed(ControlFailure(.failed, "first \(number)")),
                ControlResponse<ControlReceipt>.failed(ControlFailure(.failed, "second \(number)"))
            )
            #expect(try second.receive() == other)
            #expect(try first.receive() == one)
        }
        await running.stop()
    }

    @Test func `an answer of many megabytes arrives whole`() async throws {
        let running = try await Running(at: directory.path)
        let client = try ControlClient(running.home)
        let count = try client.ask(ListRequest(20), within: nil).count
        #expect(count == 20_000)
        await running.stop()
    }

    @Test func `the socket belongs to its user alone and goes away at the end`() async throws {
        let running = try await Running(at: directory.path)
        let path = running.home.path(of: .control)
        var status = stat()
        unsafe #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFSOCK)
        #expect(status.st_mode & 0o777 == 0o600)
        await running.stop()
        unsafe #expect(lstat(path, &status) != 0)
        #expect(throws: HomeError.self) { _ = try ControlClient(running.home) }
    }

    @Test func `a path longer than a socket address works`() async throws {
        let name = String(repeating: "n", count: 100)
        let running = try await Running(at: "\(directory.path)/\(name)/\(name)")
        let client = try ControlClient(running.home)
        _ = try client.ask(LockRequest(), within: nil)
        await running.stop()
    }

    @Test func `a socket left by a crash is replaced`() async throws {
        let crashed = try await Running(at: directory.path)
        let running = try await Running(at: directory.path)
        let client = try ControlClient(running.home)
        _ = try client.ask(LockRequest(), within: nil)
        await running.stop()
        await crashed.stop()
    }

    @Test func `nonsense ends its own connection and no other`() async throws {
        let running = try await Running(at: directory.path)
        let good = try ControlClient(running.home)
        for bytes in [[0xff, 0xff, 0xff, 0xff], [0, 0, 0, 1, 0], [0, 0, 0, 0]] as [[UInt8]] {
            let descriptor = try connect(to: running.home)
            unsafe #expect(send(descriptor, bytes, bytes.count, 0) == bytes.count)
            // Whatever is said before it, the end of the stream must come.
            var buffer = [UInt8](repeating: 0, count: 4096)
            while unsafe recv(descriptor, &buffer, buffer.count, 0) > 0 {}
            close(descriptor)
        }
        _ = try good.ask(LockRequest(), within: nil)
        await running.stop()
    }

    @Test func `a node that goes away is noticed`() async throws {
        let running = try await Running(at: directory.path)
        let client = try ControlClient(running.home)
        try client.send(ControlReply.cancel)
        for _ in 0..<2 {
            let error = #expect(throws: ControlFailure.self) {
                _ = try client.ask(LockRequest(), within: nil)
            }
            #expect(error?.kind == .unreachable)
        }
        await running.stop()
    }

    @Test func `an answer that was waited for in vain is not taken for the next one`() async throws
    {
        let running = try await Running(at: directory.path)
        let client = try ControlClient(running.home)
        let silent = #expect(throws: ControlFailure.self) {
            try client.converse(ListRequest(3), within: nil, tell: { _ in }) {
                (_) throws(ControlFailure) in
                throw ControlFailure(.usage, "enough")
            }
        }
        #expect(silent == ControlFailure(.usage, "enough"))
        let next = #expect(throws: ControlFailure.self) {
            _ = try client.ask(LockRequest(), within: nil)
        }
        #expect(next == silent)
        await running.stop()
    }

    @Test func `a command of another version is told to restart the node`() async throws {
        let running = try await Running(at: directory.path)
        let descriptor = try connect(to: running.home)
        unsafe #expect(send(descriptor, Self.otherVersion, Self.otherVersion.count, 0) == 7)
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &answer, answer.count, 0)
        #expect(String(decoding: answer.prefix(count), as: UTF8.self).contains("; restart it"))
        unsafe #expect(recv(descriptor, &answer, answer.count, 0) == 0)
        close(descriptor)
        await running.stop()
    }

    @Test func `every request to a node of another version ends with the same advice`() throws {
        let home = try Home.create(at: directory.path)
        let listener = try unsafe socket(at: home) { unsafe bind($0, $1, $2) }
        #expect(listen(listener, 1) == 0)
        let client = try ControlClient(home)
        let node = accept(listener, nil, nil)
        unsafe #expect(send(node, Self.otherVersion, Self.otherVersion.count, 0) == 7)
        let first = #expect(throws: ControlFailure.self) {
            _ = try client.ask(LockRequest(), within: nil)
        }
        #expect(first?.message == "the running node is another version of linnet; restart it")
        let second = #expect(throws: ControlFailure.self) { try client.send(IdentityRequest()) }
        #expect(second == first)
        close(node)
        close(listener)
    }

    /// A message of three bytes that begins with a version that never was.
    private static let otherVersion: [UInt8] = [0, 0, 0, 3, 0x82, 0, 0]

    private func connect(to home: Home) throws -> Int32 {
        try unsafe socket(at: home) { unsafe Glibc.connect($0, $1, $2) }
    }

    private func socket(
        at home: Home, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(home.path(of: .control).utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
        return descriptor
    }
}
