import Foundation
import Linnet
import LinnetControl
import Testing

@testable import LinnetDashboard

/// What a request must have, one header after the other.
@Suite(.timeLimit(.minutes(2)))
struct RefusalTests {
    private static let headers = [
        "Host", "Origin", "Sec-Fetch-Site", "Content-Type", "Cookie", "X-Linnet-Token",
    ]

    /// A write as a page sends it, with one line taken out, doubled or exchanged.
    private func write(
        _ page: PageSession, _ change: (inout [String]) -> Void
    ) async throws -> RawHTTP.Answer {
        var lines = [
            "Host: \(page.host)", "Origin: http://\(page.host)", "Sec-Fetch-Site: same-origin",
            "Content-Type: application/json", "Cookie: \(page.cookie)",
            "X-Linnet-Token: \(page.token)", "Content-Length: 2",
        ]
        change(&lines)
        return try await RawHTTP.ask(
            page.port, RawHTTP.request("POST /api/identity HTTP/1.1", lines, "{}"))
    }

    @Test func `a write with all its headers is carried out`() async throws {
        let open = try await OpenDashboard()
        let answer = try await write(try await open.enter()) { _ in }
        #expect(answer.status == 200, "\(answer.text)")
        await open.close()
    }

    @Test(arguments: headers)
    func `a write without one of its headers is refused`(name: String) async throws {
        let open = try await OpenDashboard()
        let answer = try await write(try await open.enter()) { lines in
            lines.removeAll { $0.hasPrefix("\(name):") }
        }
        // The library itself refuses a request of HTTP/1.1 without a host.
        #expect([400, 403, 415].contains(answer.status), "\(answer.status) \(answer.text)")
        await open.close()
    }

    @Test(arguments: headers)
    func `a write with one of its headers twice is refused`(name: String) async throws {
        let open = try await OpenDashboard()
        let answer = try await write(try await open.enter()) { lines in
            lines += lines.filter { $0.hasPrefix("\(name):") }
        }
        #expect([400, 403, 415].contains(answer.status), "\(answer.status) \(answer.text)")
        await open.close()
    }

    @Test func `other values of headers are refused, each with its reason`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let other = open.port == 65_535 ? 1 : open.port + 1
        let cases: [(header: String, value: String, code: String)] = [
            ("Host", "localhost:\(open.port)", "host"), ("Host", "127.0.0.1", "host"),
            ("Host", "127.0.0.1:\(other)", "host"), ("Host", "example.org", "host"),
            ("Host", "127.0.0.1:\(open.port).example.org", "host"),
            ("Host", "127.1:\(open.port)", "host"), ("Host", "[::1]:\(open.port)", "host"),
            ("Origin", "http://localhost:\(open.port)", "origin"), ("Origin", "null", "origin"),
            ("Origin", "https://\(open.host)", "origin"),
            ("Origin", "http://127.0.0.1:\(other)", "origin"),
            ("Sec-Fetch-Site", "same-site", "site"), ("Sec-Fetch-Site", "cross-site", "site"),
            ("Sec-Fetch-Site", "none", "site"), ("Sec-Fetch-Site", "Same-Origin", "site"),
            ("Content-Type", "text/plain", "type"),
            ("Content-Type", "application/x-www-form-urlencoded", "type"),
            ("Cookie", "linnet-\(open.port)=00", "session"),
            ("Cookie", page.cookie.replacing("linnet-", with: "Linnet-"), "session"),
            ("Cookie", "\(page.cookie); \(page.cookie)", "session"),
            ("X-Linnet-Token", "00", "token"), ("X-Linnet-Token", page.token + "0", "token"),
        ]
        for (header, value, code) in cases {
            let answer = try await write(page) { lines in
                lines = lines.map { $0.hasPrefix("\(header):") ? "\(header): \(value)" : $0 }
            }
            #expect(answer.code == code, "\(header): \(value): \(answer.text)")
        }
        await open.close()
    }

    @Test func `the token of another session is refused`() async throws {
        let open = try await OpenDashboard()
        let mine = try await open.enter()
        let other = try await open.enter()
        let mixed = PageSession(port: open.port, cookie: mine.cookie, token: other.token)
        #expect(try await mixed.post("status", "{}").code == "token")
        await open.close()
    }

    @Test func `paths and methods that there are not are refused, OPTIONS too`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        for path in [
            "/x", "/index.html", "/open.html", "/js/../index.html", "/%2e%2e/etc/passwd",
            "/js/none.js", "//", "/api", "/face/none.svg", "/pairing.svg",
        ] {
            #expect(try await page.get(path).status == 404, "\(path)")
        }
        for method in ["OPTIONS", "PUT", "DELETE", "HEAD", "TRACE", "PATCH"] {
            let request = RawHTTP.get("/", open.host, ["Cookie: \(page.cookie)"])
            let answer = try await RawHTTP.ask(
                open.port, request.replacing("GET", with: method))
            #expect(answer.status == 405, "\(method)")
            #expect(answer.header("access-control-allow-origin") == nil)
        }
        #expect(try await page.get("/api/status").status == 405)
        await open.close()
    }

    @Test func `a browser's page has only what it needs, and says what was wrong`() async throws {
        let open = try await OpenDashboard()
        let accept = ["Accept: text/html,application/xhtml+xml"]
        let inert = try await RawHTTP.ask(
            open.port, RawHTTP.get("/open", open.host, accept, site: "cross-site"))
        #expect(inert.status == 200)
        let none = try await RawHTTP.ask(
            open.port, RawHTTP.get("/", open.host, accept, site: "none"))
        #expect(none.status == 403)
        #expect(none.text.contains("linnet dashboard --open"))
        let strange = try await RawHTTP.ask(
            open.port,
            RawHTTP.get("/", "<script>alert(1)</script>:\(open.port)", accept, site: "none"))
        #expect(strange.status == 403)
        #expect(!strange.text.contains("<script"))
        #expect(strange.text.contains("ssh -L"))
        let page = try await open.enter()
        for site in ["cross-site", "same-site"] {
            let answer = try await RawHTTP.ask(
                open.port,
                RawHTTP.get("/", open.host, ["Cookie: \(page.cookie)"], site: site))
            #expect(answer.code == "site")
        }
        let typed = try await RawHTTP.ask(
            open.port, RawHTTP.get("/", open.host, ["Cookie: \(page.cookie)"], site: "none"))
        #expect(typed.status == 200)
        await open.close()
    }

    @Test func `every answer forbids what is not of this origin`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        let answers = [
            try await page.get("/"), try await page.get("/x"), try await page.post("status", "{}"),
            try await page.post("status", "["), try await page.get("/app.css"),
            try await RawHTTP.ask(open.port, RawHTTP.get("/", "example.org")),
        ]
        for answer in answers {
            let policy = try #require(answer.header("content-security-policy"))
            for part in [
                "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
            ] {
                #expect(policy.contains(part))
            }
            #expect(answer.header("x-content-type-options") == "nosniff")
            #expect(answer.header("referrer-policy") == "no-referrer")
            #expect(answer.header("cross-origin-resource-policy") == "same-origin")
            #expect(answer.header("cross-origin-opener-policy") == "same-origin")
            #expect(answer.header("cache-control") == "no-store")
            #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
        }
        await open.close()
    }

    @Test func `the figures need the token in the home, and no session`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        #expect(try await page.get("/metrics").code == "token")
        let file = try String(contentsOfFile: open.home + "/dashboard-token", encoding: .utf8)
        let token = file.split(separator: "\n")[0]
        let lines = ["Host: \(open.host)", "Authorization: Bearer \(token)"]
        let answer = try await RawHTTP.ask(
            open.port, RawHTTP.request("GET /metrics HTTP/1.1", lines))
        #expect(answer.status == 200)
        #expect(answer.text.contains("linnet_dashboard_sessions 1\n"))
        #expect(answer.text.contains("# TYPE linnet_batches gauge\n"))
        let wrong = ["Host: \(open.host)", "Authorization: Bearer \(token)0"]
        let refused = try await RawHTTP.ask(
            open.port, RawHTTP.request("GET /metrics HTTP/1.1", wrong))
        #expect(refused.code == "token")
        let attributes = try FileManager.default.attributesOfItem(
            atPath: open.home + "/dashboard-token")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        await open.close()
    }
}
