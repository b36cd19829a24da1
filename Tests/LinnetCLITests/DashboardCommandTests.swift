import Foundation
import Glibc
import Linnet
import LinnetAPI
import Testing

@testable import LinnetCLI

/// `linnet dashboard`, with the node that it asks.
@Suite(.timeLimit(.minutes(5)))
struct DashboardCommandTests {
    /// A browser that posts the secret of the link to which a file leads, as the page does.
    private static let browser = """
        #!/usr/bin/env python3
        import http.client, os, re, stat, sys
        path = sys.argv[1]
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, "mode"
        link = re.search('url=http://([^/]*)/open#([0-9a-f]{64})"', open(path).read())
        host, secret = link.group(1), link.group(2)
        page = http.client.HTTPConnection(host)
        page.request("POST", "/open", '{"secret":"%s"}' % secret, {
            "Origin": "http://" + host, "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json"})
        print(page.getresponse().status, path, file=open(os.environ["TOLD"], "w"))
        """

    /// Starts a node, and returns once it is ready.
    private func running(_ device: TestDevice, _ more: [String] = []) throws -> FollowedCommand {
        let node = try device.follow(
            ["run", "--listen", "127.0.0.1:0", "--no-discovery", "--json"] + more)
        _ = try node.next("ready")
        return node
    }

    @Test func `without a running node it says what to do`() throws {
        let device = try TestDevice.founder()
        let outcome = try device.run("dashboard", "--print")
        #expect(outcome.code == 1)
        #expect(outcome.error.contains("start it with 'linnet run'"))
        #expect(try device.run("dashboard", "--print", "--open").code == 2)
    }

    @Test func `the link that is printed opens the page once`() throws {
        let device = try TestDevice.founder()
        let node = try running(device)
        let printed = try device.run("dashboard", "--print", "--json")
        let url = try #require(try printed.objects().first?["url"]?.string)
        #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/open#[0-9a-f]{64}/) != nil)
        #expect(node.end() == 0)
    }

    @Test func `the browser gets a private file, which is gone once the link was used`() throws {
        let device = try TestDevice.founder()
        let node = try running(device)
        let browser = try device.write("browser", Self.browser)
        unsafe chmod(browser, 0o700)
        let told = "\(device.directory)/told"
        let outcome = try device.run(
            ["dashboard", "--open", "--home", device.home],
            environment: [
                ("BROWSER", browser), ("HOME", device.directory), ("TOLD", told),
            ])
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(outcome.output.contains("The page is open."))
        var words: [Substring] = []
        while words.count < 2 {
            words = ((try? String(contentsOfFile: told, encoding: .utf8)) ?? "")
                .split(whereSeparator: \.isWhitespace)
        }
        #expect(words[0] == "200")
        #expect(!FileManager.default.fileExists(atPath: String(words[1])))
        #expect(node.end() == 0)
    }

    @Test func `a node opens the port at once when it is told to`() throws {
        let device = try TestDevice.founder()
        let node = try running(device, ["--dashboard", "0"])
        let port = try #require(try node.next("dashboard")["port"])
        let printed = try device.run("dashboard", "--print", "--json")
        #expect(try printed.objects().first?["url"]?.string?.contains(":\(port.line)/") == true)
        #expect(node.end() == 0)
        let wrong = try device.run("run", "--dashboard", "70000")
        #expect(wrong.code == 2)
    }
}
