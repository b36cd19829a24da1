import Foundation
import Glibc
import Linnet
import LinnetControl
import LinnetCrypto
import LinnetSystem
import LinnetWire
import Testing

@testable import LinnetDashboard

/// Who comes in, and who does not.
@Suite(.timeLimit(.minutes(2)))
struct EntranceTests {
    @Test func `a link opens the dashboard once`() async throws {
        let open = try await OpenDashboard()
        let body = "{\"secret\":\"\(try await open.secret())\"}"
        let first = try await RawHTTP.ask(open.port, RawHTTP.post("/open", open.host, body))
        let second = try await RawHTTP.ask(open.port, RawHTTP.post("/open", open.host, body))
        #expect(first.status == 200)
        #expect(second.status == 403)
        #expect(second.code == "link")
        #expect(second.header("set-cookie") == nil)
        let cookie = try #require(first.header("set-cookie"))
        #expect(cookie.hasPrefix("linnet-\(open.port)="))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        await open.close()
    }

    @Test func `whoever waits for a link hears that it was used`() async throws {
        let open = try await OpenDashboard()
        let link = try await open.dashboard.link()
        async let isUsed = link.isUsed()
        let secret = try #require(link.address.url.split(separator: "#").last)
        let answer = try await RawHTTP.ask(
            open.port, RawHTTP.post("/open", open.host, "{\"secret\":\"\(secret)\"}"))
        #expect(answer.status == 200)
        #expect(await isUsed)
        await open.close()
    }

    @Test func `a link is too old after sixty seconds`() async {
        var links = OpenLinks()
        var entropy = Entropy(seed: SystemEntropy.seed())
        let (_, early) = links.add(at: 1_000, &entropy)
        let (number, late) = links.add(at: 1_000, &entropy)
        let isEarly = links.use(early, at: 60_999)
        let isLate = links.use(late, at: 61_000)
        #expect(isEarly)
        #expect(!isLate)
        let isUsed = await withCheckedContinuation { links.wait(for: number, $0) }
        #expect(!isUsed)
    }

    @Test func `a further link ends the oldest of sixteen`() {
        var links = OpenLinks()
        var entropy = Entropy(seed: SystemEntropy.seed())
        let secrets = (0...OpenLinks.limit).map { _ in links.add(at: 0, &entropy).secret }
        let used = secrets.map { links.use($0, at: 1) }
        #expect(used == [false] + [Bool](repeating: true, count: OpenLinks.limit))
    }

    @Test func `a session ends after twelve hours without use`() {
        var sessions = SessionList()
        var entropy = Entropy(seed: SystemEntropy.seed())
        func at(_ milliseconds: Int64) -> Moment {
            Moment(wallMilliseconds: milliseconds, uptimeMilliseconds: milliseconds)
        }
        let (_, secret) = sessions.open(agent: "a", at: at(0), &entropy)
        let rest = SessionList.restMilliseconds
        let found = [rest, 2 * rest, 3 * rest + 1].map { time in
            sessions.use(secret, at: at(time)) != nil
        }
        #expect(found == [true, true, false])
    }

    @Test func `a further session ends the one of sixty-four that was used least recently`() {
        var sessions = SessionList()
        var entropy = Entropy(seed: SystemEntropy.seed())
        let secrets = (0..<Int64(SessionList.limit)).map { time in
            let now = Moment(wallMilliseconds: time, uptimeMilliseconds: time)
            return sessions.open(agent: "a", at: now, &entropy).secret
        }
        let now = Moment(wallMilliseconds: 100, uptimeMilliseconds: 100)
        _ = sessions.use(secrets[0], at: now)
        _ = sessions.open(agent: "b", at: now, &entropy)
        let found = secrets.prefix(2).map { sessions.use($0, at: now) != nil }
        #expect(found == [true, false])
    }

    @Test func `a session that is ended has nothing any more`() async throws {
        let open = try await OpenDashboard()
        let mine = try await open.enter()
        let other = try await open.enter()
        let sessions = try await mine.ask("sessions")
        guard case .array(let listed)? = sessions["sessions"] else { throw TestProblem() }
        #expect(listed.count == 2)
        _ = try await mine.ask("session-end", "{\"session\":2}")
        #expect(try await other.get("/session").code == "session")
        #expect(try await other.post("status", "{}").code == "session")
        #expect(try await mine.get("/session").status == 200)
        await open.close()
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: only root starts programs of other users"))
    func `a program of another user is closed before it is read`() async throws {
        let open = try await OpenDashboard()
        let script = """
            import socket, sys
            s = socket.create_connection(("127.0.0.1", \(open.port)), 10)
            s.settimeout(10)
            try:
                s.sendall(b"GET /open HTTP/1.1\\r\\nHost: \(open.host)\\r\\n\\r\\n")
                got = s.recv(100)
            except ConnectionError:
                got = b""
            sys.exit(0 if got == b"" else 7)
            """
        let stranger = try await RawHTTP.blocking {
            try Self.status(of: ["setpriv", "--reuid=65534", "--clear-groups"], script)
        }
        #expect(stranger == 0)
        // The same program of this user is answered.
        #expect(try await RawHTTP.blocking { try Self.status(of: [], script) } == 7)
        await open.close()
    }

    private static func status(of prefix: [String], _ script: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = prefix + ["/usr/bin/python3", "-c", script]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// Something that a test needs was not there.
struct TestProblem: Error {}
