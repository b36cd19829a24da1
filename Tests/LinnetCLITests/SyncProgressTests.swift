import Glibc
import Linnet
import LinnetCLI
import Testing

/// What `sync` says while an exchange is held up in the middle.
@Suite(.timeLimit(.minutes(15)))
struct SyncProgressTests {
    private static let batches = 150

    /// Commits of their own, of texts that no compression makes small.
    private func write(_ home: String) async throws {
        let node = try await Node.open(at: home)
        var state: UInt64 = 1
        for number in 0..<Self.batches {
            var name = ""
            for _ in 0..<1_000 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                name += String(state >> 20, radix: 36)
            }
            try await node.set("medication", "m\(number)", ["name": .text(name)])
        }
        await node.stop()
    }

    @Test func `the exchange tells how far it is, how fast it goes and how long it will take`()
        async throws
    {
        let laptop = try TestDevice.founder()
        let phone = TestDevice()
        let node = try laptop.follow([
            "run", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
        ])
        let relay = try TCPRelay(to: try port(of: node))
        defer { relay.end() }
        let offer = try laptop.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try phone.run(
            "join", "--name", "Phone", "--kind", "phone", "--code", code, "--peer", relay.peer)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        #expect(node.end() == 0)
        try await write(laptop.home)
        let again = try laptop.follow([
            "run", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
        ])
        relay.turn(to: try port(of: again))

        relay.hold(.back, after: 300_000)
        let said = try Lines("\(phone.directory)/said")
        let sync = try ChildProcess(
            [
                TestDevice.program, "sync", "--peer", relay.peer, "--timeout", "120",
                "--progress", "--home", phone.home,
            ], environment: [], output: "\(phone.directory)/out", error: said.path)
        #expect(relay.waitUntilHeld())
        // The speed shows once it went on from a place that was told.
        #expect(try said.next { $0.contains(" batches exchanged") && !$0.hasPrefix("0 %") } != nil)
        relay.goOn(for: 300_000)
        #expect(relay.waitUntilHeld())
        // Before both know what the other holds there may be a line about less.
        let line = try said.next { line in
            line.hasSuffix(" left")
        }
        let told = try #require(
            line?.wholeMatch(
                of: /\d+ % of \d+ batches exchanged and shown, \d+\/s, ([\d.]+) (s|min) left/),
            "\(said.all)")
        #expect((Double(told.1) ?? 0) > 0, "\(said.all)")
        relay.release()
        #expect(phone.finish(sync, "\(phone.directory)/out").code == 0)
        #expect(phone.read("\(phone.directory)/out").contains("In step with 1 device."))
        #expect(try phone.run("digest").output == laptop.run("digest").output)
        #expect(again.end() == 0)
    }

    private func port(of command: FollowedCommand) throws -> UInt16 {
        try #require((try command.next("ready")["port"]?.line).flatMap { UInt16($0) })
    }
}

/// A named pipe that a process writes lines into.
private final class Lines {
    let path: String
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    /// Every line so far.
    private(set) var all: [String] = []

    init(_ path: String) throws {
        self.path = path
        unsafe mkfifo(path, 0o600)
        // The reader comes first: a writer that opens a pipe without one would wait for ever.
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    /// The next line that `isWanted` accepts; nil when none comes for long.
    func next(_ isWanted: (String) -> Bool) throws -> String? {
        while true {
            while let end = bytes.firstIndex(of: 0x0a) {
                let line = String(decoding: bytes[..<end], as: UTF8.self)
                bytes.removeFirst(end + 1)
                all.append(line)
                if isWanted(line) { return line }
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 60_000) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }
}
