import LinnetSystem
import Testing

@testable import LinnetRelay

/// Bytes that no device says: nothing of them ends a relay or holds up others.
@Suite(.timeLimit(.minutes(3)))
struct RelayHostilityTests {
    private let fixture = RelayFixture()
    private let name = RelayFixture.name(1)

    private func head(
        _ line: String, _ password: String? = nil, _ more: [String] = []
    ) -> String {
        let account = password.map {
            ["Authorization: Basic " + Base64.text(of: Array("phone:\($0)".utf8))]
        }
        let lines = [line + " HTTP/1.1", "Host: relay"] + (account ?? []) + more
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func status(_ relay: Relay, _ text: String) async -> Int? {
        let port = relay.address.port
        return await blocking {
            let client = RawClient(port: port)
            client.say(text)
            return client.status()
        }
    }

    @Test func `what is no request of the interface is refused with its own status`()
        async throws
    {
        let phone = try fixture.add("phone")
        try await fixture.serving { relay in
            for (text, expected) in [
                (head("GET /v1/h/"), 401), (head("GET /"), 401), (head("GET /v1/h/", "x"), 401),
                (head("GET /v1/h/", phone), 200), (head("GET /v1/h/..%2f..", phone), 404),
                (head("GET /v1/h/%00", phone), 200), (head("GET /v1/H/", phone), 400),
                (head("GET /v1/h/?after=%27", phone), 400), (head("GET /v2", phone), 404),
                (head("POST /v1/\(name)", phone, ["Content-Length: 0"]), 405),
                (head("PUT /v1/\(name)", phone), 411),
                (head("PUT /v1/\(name)", phone, ["Content-Length: 4194305"]), 413),
                (head("PUT /v1/\(name)", phone, ["Content-Length: 99999999999999999"]), 413),
                (head("PUT /v1/\(name)", phone, ["Transfer-Encoding: chunked"]), 411),
                (head("GET /v1/\(name)", phone, ["Content-Length: 5"]) + "12345", 400),
                (head("PUT /v1/\(name)", nil, ["Content-Length: 5"]) + "12345", 401),
                (head("GET /v1/wait?since=-1", phone), 400),
            ] {
                #expect(await status(relay, text) == expected, "\(text)")
            }
            #expect(await status(relay, head("GET /v1/\(name)", phone)) == 404)
        }
    }

    @Test func `bytes that are no HTTP, and heads without an end, are cut`() async throws {
        let phone = try fixture.add("phone")
        try await fixture.serving { relay in
            for text in [
                "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET /" + String(repeating: "a", count: 1 << 20) + " HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 100_000) + "\r\n",
                head("PUT /v1/\(name)", phone, ["Content-Length: -1"]),
                head("PUT /v1/\(name)", phone, ["Content-Length: x"]),
            ] {
                let port = relay.address.port
                let found = await blocking { () -> Int? in
                    let client = RawClient(port: port)
                    client.say(text)
                    client.endSaying()
                    return client.status()
                }
                #expect(found.map { $0 >= 400 } ?? true, "\(text.prefix(30))")
            }
            #expect(await status(relay, head("GET /v1/h/", phone)) == 200)
        }
    }

    @Test func `clients that say nothing more hold up nobody`() async throws {
        let phone = try fixture.add("phone")
        try await fixture.serving { relay in
            var idle: [SilentClient] = []
            let beginnings = [
                "", "\r\n\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}", "GET /v1/h/ HTTP/1.1\r\nHo",
                head("PUT /v1/\(name)", phone, ["Content-Length: 1000"]) + "part",
            ]
            for number in 0..<120 {
                let text = beginnings[number % beginnings.count]
                idle.append(SilentClient(port: relay.address.port, saying: text))
            }
            let store = try RelayFixture.store(relay, "phone", phone)
            _ = try await outcome { () throws(MailboxError) in try store.put([1], name) }.get()
            #expect(
                try await outcome { () throws(MailboxError) in try store.get(name, upTo: 9) }
                    .get() == [1])
            #expect(idle.count == 120)
        }
    }

    @Test func `bodies that are announced and never said take no more than their account may`()
        async throws
    {
        let (phone, other) = (try fixture.add("phone"), try fixture.add("other"))
        try await fixture.serving { relay in
            let large = head("PUT /v1/\(name)", phone, ["Content-Length: 4194304"])
            let held = (0..<4).map { _ in
                SilentClient(port: relay.address.port, saying: large + "begun")
            }
            let store = try RelayFixture.store(relay, "other", other)
            let full = [UInt8](repeating: 1, count: 4 << 20)
            _ = try await outcome { () throws(MailboxError) in try store.put(full, name) }.get()
            // The four of them hold all that one account may hold, however late they are read: one
            // that asks first whether it may go on is told so as long as there is room.
            let careful = head(
                "PUT /v1/\(name)", phone, ["Content-Length: 4194304", "Expect: 100-continue"])
            while await status(relay, careful) == 100 {}
            #expect(await status(relay, careful) == 503)
            #expect(held.count == 4)
        }
    }
}

/// A client that says something and then holds its connection open.
final class SilentClient {
    private let client: RawClient

    init(port: UInt16, saying text: String) {
        client = RawClient(port: port)
        client.say(text)
    }
}
