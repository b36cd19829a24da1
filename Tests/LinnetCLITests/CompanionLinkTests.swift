import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// A phone and a watch as processes of their own, with nothing but a directory between them.
@Suite(.timeLimit(.minutes(15)))
struct CompanionLinkTests {
    private let phone = TestDevice()
    private let watch = TestDevice()

    private var link: String { "\(phone.directory)/link" }

    private func run(_ device: TestDevice) throws -> FollowedCommand {
        let command = try device.follow([
            "run", "--json", "--companion-link", link, "--no-network",
        ])
        #expect(try command.next("ready")["port"] == .null)
        return command
    }

    private func digest(_ device: TestDevice) throws -> String { try device.run("digest").output }

    private func pairOverTheLink() throws {
        #expect(try phone.run("init", "--name", "Phone", "--kind", "phone").code == 0)
        let offer = try phone.follow(["pair", "--json", "--yes", "--companion-link", link])
        let sight = try offer.next()
        #expect(sight["listen"]?.string == "")
        let code = try #require(sight["code"]?.string)
        let joined = try watch.run(
            "join", "--json", "--name", "Watch", "--kind", "watch", "--code", code,
            "--companion-link", link)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
    }

    @Test func `either side may be killed in the middle and agrees again once it is back`() throws {
        try pairOverTheLink()
        var phoneRuns = try run(phone)
        var watchRuns = try run(watch)
        _ = try watchRuns.next("in-step")
        for round in 0..<3 {
            // Enough that the side that is killed has frames on their way.
            let rows = (0..<400).map { "{\"id\":\"r\(round)-\($0)\",\"name\":\"N\($0)\"}" }
            let file = try phone.write("rows.jsonl", rows.joined(separator: "\n"))
            let imported = try phone.run("import", file, "--collection", "medication")
            #expect(imported.code == 0, "\(imported.error)")
            if round % 2 == 0 {
                watchRuns.process.signal(SIGKILL)
                _ = watchRuns.waitForEnd()
                watchRuns = try run(watch)
            } else {
                phoneRuns.process.signal(SIGKILL)
                _ = phoneRuns.waitForEnd()
                phoneRuns = try run(phone)
            }
            while try digest(watch) != digest(phone) { _ = try watchRuns.next() }
        }
        #expect(try watch.run("list", "medication").output.contains("r2-399"))
        let status = try watch.run("status", "--json").objects().first
        let link = try #require(status?["companionLink"])
        #expect(link["side"]?.string == "watch")
        #expect(link["reachable"] == .bool(true))
        #expect(phoneRuns.end() == 0)
        #expect(watchRuns.end() == 0)
    }

    @Test func `a watch with the link opens no socket but its home's own`() throws {
        #expect(try watch.run("init", "--name", "Watch", "--kind", "watch").code == 0)
        let command = try watch.follow(["run", "--json", "--companion-link", link])
        #expect(try command.next("ready")["port"] == .null)
        for table in ["tcp", "tcp6", "udp", "udp6"] {
            let inodes = try sockets(of: command.process.id)
            let lines = String(
                decoding: try FileText.read("/proc/net/\(table)"), as: UTF8.self
            ).split(separator: "\n").dropFirst()
            let ours = lines.filter { line in
                let words = line.split(separator: " ")
                return words.count > 9 && inodes.contains(String(words[9]))
            }
            #expect(ours.isEmpty)
        }
        #expect(command.end() == 0)
    }

    @Test func `options that exclude each other are refused`() throws {
        #expect(try phone.run("init", "--name", "Phone", "--kind", "phone").code == 0)
        #expect(try phone.run("run", "--no-network").code == 2)
        let both = try phone.run(
            "run", "--no-network", "--companion-link", link, "--listen", "127.0.0.1:0")
        #expect(both.code == 2)
    }

    /// Inode numbers of the sockets that a process has open.
    private func sockets(of process: pid_t) throws -> Set<String> {
        var inodes: Set<String> = []
        for descriptor in 0..<256 {
            var buffer = [CChar](repeating: 0, count: 128)
            let count = unsafe readlink("/proc/\(process)/fd/\(descriptor)", &buffer, 127)
            guard count > 0 else { continue }
            let text = String(
                decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("socket:[") { inodes.insert(String(text.dropFirst(8).dropLast())) }
        }
        return inodes
    }
}
