import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// Commands between devices, over loopback and without mDNS.
struct GroupCommandTests {
    /// A device whose `run` listens on loopback.
    private struct Running {
        let device: TestDevice
        let command: FollowedCommand
        let peer: String

        init(_ device: TestDevice, peers: [String] = []) throws {
            self.device = device
            command = try device.follow(
                ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"]
                    + peers.flatMap { ["--peer", $0] })
            let port = try command.next("ready")["port"]?.line
            peer = "127.0.0.1:\(try #require(port))"
        }
    }

    private static let pair = ["pair", "--json", "--yes", "--no-discovery"]

    private func joining(_ secret: String..., peer: String?) -> [String] {
        ["join", "--json", "--name", "Phone", "--kind", "phone"] + secret
            + (peer.map { ["--peer", $0] } ?? ["--no-discovery"])
    }

    private func admit(_ newcomer: TestDevice, by member: Running) throws {
        let offer = try member.device.follow(Self.pair)
        let code = try #require(try offer.next()["code"]?.string)
        #expect(try newcomer.run(joining("--code", code, peer: member.peer)).code == 0)
        #expect(offer.waitForEnd() == 0)
    }

    @Test func `a newcomer joins by code and both sides tell the same`() throws {
        let member = try Running(TestDevice.founder())
        let phone = TestDevice()
        let offer = try member.device.follow(Self.pair)
        let sight = try offer.next()
        let code = try #require(sight["code"]?.string)
        #expect(code.count == 6)
        #expect(sight["uri"]?.string?.hasPrefix("linnet:1?") == true)
        #expect(sight["listen"]?.string == member.peer)
        #expect(sight["instance"] == .null)
        let joined = try phone.run(joining("--code", code, peer: member.peer))
        #expect(joined.code == 0)
        let newcomer = try offer.next("newcomer")
        let paired = try offer.next("paired")
        #expect(offer.waitForEnd() == 0)
        let told = try #require(try joined.objects().first)
        #expect(told["fingerprint"] == newcomer["fingerprint"])
        #expect(told["device"] == paired["device"])
        #expect(told["member"]?.string == "Laptop")
        #expect(try phone.run("sync", "--peer", member.peer).code == 0)
        #expect(try phone.run("digest").output == member.device.run("digest").output)
        let again = try phone.run(joining("--code", "123456", peer: member.peer))
        #expect(again.code == 1)
        #expect(again.error.contains("belongs to a group already"))
        #expect(member.command.end() == 0)
    }

    private func agreements(_ outcome: TestDevice.Outcome) throws -> [JSON] {
        guard case .array(let agreements)? = try outcome.objects().first?["agreements"] else {
            return []
        }
        return agreements
    }

    @Test func `devices certify to each other what they hold, and files of it are checked offline`()
        throws
    {
        let member = try Running(TestDevice.founder())
        let phone = TestDevice()
        try admit(phone, by: member)
        let exchanged = try phone.run("certificate", "exchange", "--peer", member.peer, "--json")
        #expect(exchanged.code == 0)
        let agreement = try #require(try agreements(exchanged).first)
        #expect(agreement["agrees"] == .bool(true))
        let kept = try agreements(member.device.run("certificate", "--json")).first
        #expect(kept?["own"] == agreement["theirs"] && kept?["still"] == .bool(true))
        #expect(try phone.run("status").output.contains("certified to hold the same"))
        let files = ["laptop", "phone"].map { "\(phone.home).\($0).certificate" }
        #expect(try member.device.run("certificate", "save", files[0]).code == 0)
        #expect(member.command.end() == 0)
        #expect(try phone.run("certificate", "save", files[1]).code == 0)
        #expect(try phone.run(["certificate", "check"] + files).code == 0)
        #expect(try phone.run("rename", "Another").code == 0)
        #expect(try phone.run("certificate", "save", files[1]).code == 0)
        let differing = try phone.run(["certificate", "check"] + files)
        #expect(differing.code == 1 && differing.error.contains("do not agree"))
        let wrong = try phone.write("wrong", "nothing of the sort")
        #expect(try phone.run("certificate", "check", wrong).code == 1)
        #expect(try phone.run("certificate", "check").code == 2)
    }

    @Test func `wrong codes cost tries, leave no home behind, and the third ends the offer`() throws
    {
        let member = try Running(TestDevice.founder())
        let phone = TestDevice()
        let offer = try member.device.follow(Self.pair)
        let code = try #require(try offer.next()["code"]?.string)
        let wrong = code == "000000" ? "000001" : "000000"
        for left in ["2", "1"] {
            let outcome = try phone.run(joining("--code", wrong, peer: member.peer))
            #expect(outcome.code == 1)
            #expect(outcome.error.contains("probably wrong"))
            #expect(!TestDevice.exists(phone.home))
            #expect(try offer.next("wrong-code")["triesLeft"]?.line == left)
        }
        #expect(try phone.run(joining("--code", wrong, peer: member.peer)).code == 1)
        #expect(offer.waitForEnd() == 1)
        #expect(offer.error.contains("wrong too often"))
        #expect(try phone.run(joining("--code", code, peer: member.peer)).code == 1)
    }

    @Test func `a newcomer shows the code and the member types it, or the address`() throws {
        let laptop = try TestDevice.founder()
        for secret in ["code", "uri"] {
            let phone = TestDevice()
            let join = try phone.follow([
                "join", "--json", "--name", "Phone", "--kind", "phone", "--show",
                "--no-discovery", "--listen", "127.0.0.1:0",
            ])
            let sight = try join.next()
            let typed = try #require(sight[secret]?.string)
            let listen = try #require(sight["listen"]?.string)
            let pair = try laptop.run(
                Self.pair + ["--role", "member", "--\(secret)", typed, "--peer", listen])
            #expect(pair.code == 0)
            #expect(try pair.objects().last?["event"]?.string == "paired")
            #expect(join.waitForEnd() == 0)
            #expect(try phone.run("status", "--json").output.contains(#""role":"member""#))
        }
    }

    @Test func `what is not reached ends with code 3`() throws {
        let laptop = try TestDevice.founder()
        // Port 9 of loopback: nobody listens there.
        let sync = try laptop.run("sync", "--peer", "127.0.0.1:9", "--timeout", "1")
        #expect(sync.code == 3)
        #expect(sync.error.contains("was not reached"))
        let phone = TestDevice()
        let join = try phone.run(
            joining("--code", "123456", peer: "127.0.0.1:9") + ["--timeout", "1"])
        #expect(join.code == 3)
        #expect(!TestDevice.exists(phone.home))
    }

    @Test func `commands go through run, and what they write reaches the others at once`() throws {
        let member = try Running(TestDevice.founder())
        let phone = TestDevice()
        try admit(phone, by: member)
        let other = try Running(phone, peers: [member.peer])
        _ = try other.command.next("peer-connected")
        #expect(try member.device.run("set", "medication/m", "name=A").code == 0)
        while try other.command.next("batch-applied")["local"] != false {}
        var seen = try phone.run("get", "medication/m", "--json")
        while seen.code != 0 {
            _ = try other.command.next("batch-applied")
            seen = try phone.run("get", "medication/m", "--json")
        }
        #expect(try seen.objects().first?["fields"]?.line == #"{"name":"A"}"#)
        let status = try #require(try phone.run("status", "--json").objects().first)
        #expect(status["running"] == true)
        #expect(status["devices"]?.line.contains(#""connected":true"#) == true)
        #expect(other.command.end(SIGINT) == 0)
        _ = try member.command.next("peer-lost")
        // Logs name devices by identifier only.
        #expect(!member.command.error.contains("Phone"))
        #expect(member.command.end(SIGTERM) == 0)
        for home in [phone.home, member.device.home] {
            #expect(!TestDevice.exists("\(home)/control"))
        }
    }

    @Test func `a second run is told the first one's process`() throws {
        let member = try Running(TestDevice.founder())
        let second = try member.device.run("run", "--no-discovery", "--listen", "127.0.0.1:0")
        #expect(second.code == 1)
        #expect(second.error.contains("in use by process \(member.command.process.id)"))
        #expect(member.command.end() == 0)
    }

    @Test func `a run waits for a command that has the home for a moment`() throws {
        let device = try TestDevice.founder()
        let home = try Home.open(at: device.home)
        var lock: HomeLock? = try HomeLock(home)
        let news = inotify_init1(Int32(O_CLOEXEC))
        defer { close(news) }
        let path = home.path(of: .lock)
        #expect(unsafe inotify_add_watch(news, path, UInt32(IN_CLOSE_WRITE)) >= 0)
        let command = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        // It has tried, and found the home taken.
        var entry = pollfd(fd: news, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&entry, 1, 30_000) > 0)
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try command.next("ready")
        #expect(command.end() == 0)
    }

    @Test func `a run that was killed leaves nothing that hinders the next`() throws {
        let device = try TestDevice.founder()
        let first = try Running(device)
        #expect(try device.run("set", "medication/m", "name=A").code == 0)
        #expect(first.command.end(SIGKILL) == 128 + SIGKILL)
        #expect(TestDevice.exists("\(device.home)/control"))
        #expect(try device.run("get", "medication/m").code == 0)
        let second = try Running(device)
        #expect(try device.run("get", "medication/m").code == 0)
        #expect(second.command.end() == 0)
    }

    @Test func `a run that is stopped is named, and the outcome said to be unknown`() throws {
        let device = try TestDevice.founder()
        let member = try Running(device)
        let offer = try device.follow(Self.pair)
        _ = try offer.next()
        member.command.process.signal(SIGKILL)
        #expect(offer.waitForEnd() == 3)
        #expect(offer.error.contains("is not known"))
    }

    @Test func `run leaves no core and keeps its memory to itself`() throws {
        let member = try Running(TestDevice.founder())
        let id = member.command.process.id
        let limits = try FileText.read("/proc/\(id)/limits")
        let line = String(decoding: limits, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("Max core file size") }
        let words = try #require(line).split(separator: " ")
        #expect(words.dropFirst(4).prefix(2) == ["0", "0"])
        #expect(member.command.end() == 0)
    }

    @Test func `doctor names each thing with its state`() throws {
        let device = try TestDevice.founder()
        let outcome = try device.run("doctor", "--json")
        #expect(outcome.code == 0)
        let objects = try outcome.objects()
        #expect(
            objects.compactMap { $0["check"]?.string } == [
                "home", "key file", "database", "node", "clock", "structure", "rows", "batches",
                "network", "mDNS daemon", "reminders",
            ])
        #expect(objects.prefix(3).allSatisfy { $0["state"]?.string == "ok" })
        unsafe chmod("\(device.home)/key", 0o644)
        let broken = try device.run("doctor", "--json")
        #expect(broken.code == 1)
        let key = try broken.objects()[1]
        #expect(key["state"]?.string == "broken")
        #expect(key["finding"]?.string?.contains("chmod 600") == true)
    }
}
