import Foundation
import Linnet
import LinnetControl
import Testing

@testable import LinnetDashboard

/// Requests that are cut short, far too long, or no requests.
@Suite(.timeLimit(.minutes(3)))
struct RoughTests {
    @Test func `half requests and noise leave the others alone`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let whole = RawHTTP.post(
            "/api/status", page.host, "{}",
            ["Cookie: \(page.cookie)", "X-Linnet-Token: \(page.token)"])
        var connections: [RawHTTP.Connection] = []
        for count in [0, 1, 5, 20, 60, whole.utf8.count - 1] {
            let connection = try RawHTTP.Connection(open.port)
            connection.send(String(decoding: whole.utf8.prefix(count), as: UTF8.self))
            connections.append(connection)
        }
        for noise in [
            "\u{0}\u{0}\u{0}\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
            "GET / HTTP/1.1\r\nHost\r\n\r\n", String(repeating: "A", count: 100_000),
        ] {
            let connection = try RawHTTP.Connection(open.port)
            connection.send(noise)
            connections.append(connection)
        }
        #expect(try await page.ask("identity")["name"] == "Laptop")
        #expect(connections.count == 12)
        await open.close()
    }

    @Test func `a body of more than one mebibyte is refused, with a length and in chunks`()
        async throws
    {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let long = String(repeating: " ", count: HTTPExchange.bodyLimitBytes + 1)
        let sized = try await RawHTTP.ask(
            open.port,
            RawHTTP.request(
                "POST /api/status HTTP/1.1", heads(page) + ["Content-Length: \(long.utf8.count)"]))
        #expect(sized.status == 413)
        let chunk = String(long.utf8.count, radix: 16) + "\r\n\(long)\r\n0\r\n\r\n"
        let chunked = try await RawHTTP.ask(
            open.port,
            RawHTTP.request(
                "POST /api/status HTTP/1.1", heads(page) + ["Transfer-Encoding: chunked"], chunk))
        #expect(chunked.status == 413)
        let fitting = "{" + String(repeating: " ", count: HTTPExchange.bodyLimitBytes - 2) + "}"
        #expect(try await page.post("identity", fitting).status == 200)
        await open.close()
    }

    private func heads(_ page: PageSession) -> [String] {
        [
            "Host: \(page.host)", "Origin: http://\(page.host)", "Sec-Fetch-Site: same-origin",
            "Content-Type: application/json", "Cookie: \(page.cookie)",
            "X-Linnet-Token: \(page.token)",
        ]
    }

    @Test func `a body that never ends is cut off`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let connection = try RawHTTP.Connection(open.port)
        connection.send(
            (["POST /api/status HTTP/1.1"] + heads(page) + ["Transfer-Encoding: chunked", "", ""])
                .joined(separator: "\r\n"))
        let chunk = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
        let rest = try await RawHTTP.blocking {
            for _ in 0..<100 { connection.send(chunk) }
            return connection.rest()
        }
        // The connection is closed without an answer, so that nothing is left to read.
        #expect(rest.isEmpty)
        #expect(try await page.ask("identity")["name"] == "Laptop")
        await open.close()
    }

    @Test func `more connections than there is room for wait or are closed, and then it goes on`()
        async throws
    {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        var idle: [RawHTTP.Connection] = []
        for _ in 0..<(HTTPServer.connectionLimit + 20) {
            idle.append(try RawHTTP.Connection(open.port))
        }
        #expect(idle.count > Int(HTTPServer.connectionLimit))
        idle = []
        var answer: RawHTTP.Answer?
        // The closed connections are noticed one by one.
        while answer == nil {
            do {
                answer = try await page.post("identity", "{}")
            } catch is NoAnswer {
                continue
            }
        }
        #expect(answer?.status == 200)
        await open.close()
    }

    @Test func `what is no object, no verb or no member is told`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let cases = [
            ("status", "", "no JSON"), ("status", "[]", "a JSON object"),
            ("statis", "{}", "did you mean 'status'?"), ("query", "{}", "'collection' is missing"),
            ("query", "{\"collection\":\"x\"}", "there is no collection 'x'"),
            ("query", "{\"collection\":1}", "'collection' must be a text"),
            ("query", "{\"collection\":\"medication\",\"limit\":0}", "from 1 to 1000"),
            ("query", "{\"collection\":\"medication\",\"where\":\"nme = 1\"}", "column 1"),
            ("write", "{\"collection\":\"devices\",\"record\":\"a\",\"fields\":{}}", "own records"),
            (
                "write", "{\"collection\":\"medication\",\"record\":\"a\",\"fields\":{}}",
                "'fields' is empty"
            ),
            ("remove", "{\"device\":\"x\",\"reason\":\"bad\"}", "'reason' is one of"),
            ("pair-decide", "{\"accept\":true}", "no newcomer waits"),
            ("med-take", "{\"medication\":\"m1\"}", "'intent' is missing"),
        ]
        for (verb, body, message) in cases {
            let answer = try await page.post(verb, body)
            #expect([400, 409].contains(answer.status), "\(verb): \(answer.status)")
            #expect(answer.text.contains(message), "\(verb): \(answer.text)")
        }
        await open.close()
    }
}
