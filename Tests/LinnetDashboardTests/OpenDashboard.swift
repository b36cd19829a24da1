import Foundation
import Glibc
import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire
import Testing

@testable import LinnetDashboard

/// A real node with an open dashboard, in a home of its own.
final class OpenDashboard {
    let node: Node
    let dashboard: Dashboard
    let port: UInt16
    let home: String

    /// - Parameter name: the name of the device.
    init(
        name: String = "Laptop", schema: Schema = .demonstration, guest: (any DashboardGuest)? = nil
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appending(
            path: "linnet-dashboard-\(UUID().uuidString)"
        ).path
        self.home = home
        node = try await Node.create(at: home, name: name, kind: .laptop, schema: schema)
        dashboard = Dashboard(of: node, guest: guest)
        port = try await dashboard.open()
    }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    /// Closes the dashboard and stops the node.
    func close() async {
        await dashboard.close()
        await node.stop()
    }

    var host: String { "127.0.0.1:\(port)" }

    /// Returns the secret of a new link.
    func secret() async throws -> String {
        let link = try await dashboard.link()
        return String(try #require(link.address.url.split(separator: "#").last))
    }

    /// Uses a link, and returns what a page of the session sends along.
    func enter() async throws -> PageSession {
        let body = "{\"secret\":\"\(try await secret())\"}"
        let answer = try await RawHTTP.ask(port, RawHTTP.post("/open", host, body))
        try #require(answer.status == 200, "\(answer.text)")
        let cookie = try #require(answer.header("set-cookie")?.split(separator: ";").first)
        let said = try await RawHTTP.ask(
            port, RawHTTP.get("/session", host, ["Cookie: \(cookie)"]))
        let token = try #require(try said.json()["ok"]?["token"]?.string)
        return PageSession(port: port, cookie: String(cookie), token: token)
    }
}

/// The session of one browser.
struct PageSession: Sendable {
    let port: UInt16
    let cookie: String
    let token: String

    var host: String { "127.0.0.1:\(port)" }

    /// Asks for a path of the page.
    func get(_ path: String, _ more: [String] = []) async throws -> RawHTTP.Answer {
        try await RawHTTP.ask(port, RawHTTP.get(path, host, ["Cookie: \(cookie)"] + more))
    }

    /// Carries a verb out and returns the whole answer.
    func post(_ verb: String, _ body: String) async throws -> RawHTTP.Answer {
        try await RawHTTP.ask(
            port,
            RawHTTP.post(
                "/api/\(verb)", host, body, ["Cookie: \(cookie)", "X-Linnet-Token: \(token)"]))
    }

    /// Carries a verb out and returns what it answers with.
    func ask(_ verb: String, _ body: String = "{}") async throws -> JSON {
        let answer = try await post(verb, body)
        return try #require(try answer.json()["ok"], "\(verb): \(answer.text)")
    }
}
