import Glibc
import Linnet
import LinnetCLI
import LinnetCompanion
import Testing

/// A phone that listens on loopback, and a watch that reaches it through a relay, as processes.
private final class Couple {
    let phone = TestDevice()
    let watch = TestDevice()
    let relay: TCPRelay
    private var nodes: [ObjectIdentifier: FollowedCommand] = [:]

    /// Pairs the two; the phone's node goes on.
    init() throws {
        #expect(try phone.run("init", "--name", "Phone", "--kind", "phone").code == 0)
        let command = try phone.follow(Self.running)
        relay = try TCPRelay(to: try Self.port(of: command))
        nodes[ObjectIdentifier(phone)] = command
        try join(watch)
    }

    /// Has the phone admit a watch.
    func join(_ watch: TestDevice) throws {
        let offer = try phone.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try watch.run(
            "join", "--name", "Watch", "--kind", "watch", "--code", code, "--peer", relay.peer)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
    }

    deinit { relay.end() }

    private static let running = ["run", "--json", "--no-discovery", "--listen", "127.0.0.1:0"]

    private static func port(of command: FollowedCommand) throws -> UInt16 {
        try #require((try command.next("ready")["port"]?.line).flatMap { UInt16($0) })
    }

    func other(than device: TestDevice) -> TestDevice { device === phone ? watch : phone }

    /// Starts a device's node with TCP, and with these options.
    func start(_ device: TestDevice, _ options: String...) throws {
        let peer = device === phone ? [] : ["--peer", relay.peer]
        let command = try device.follow(Self.running + peer + options)
        let port = try Self.port(of: command)
        if device === phone { relay.turn(to: port) }
        nodes[ObjectIdentifier(device)] = command
    }

    /// Starts a device's node with the companion link alone.
    func start(_ device: TestDevice, onlyOver link: String) throws {
        let command = try device.follow([
            "run", "--json", "--no-network", "--companion-link", link,
        ])
        _ = try command.next("ready")
        nodes[ObjectIdentifier(device)] = command
    }

    func kill(_ device: TestDevice) {
        _ = nodes.removeValue(forKey: ObjectIdentifier(device))?.end(SIGKILL)
    }

    /// The state of a device's lanes.
    func status(_ device: TestDevice) throws -> JSON {
        try #require(try device.run("companion", "status", "--json").objects().first)
    }

    /// Waits until each knows of the other that it has the app.
    func waitUntilBothKnow() throws {
        for device in [phone, watch] {
            while try status(device)["installed"] != .bool(true) {}
        }
    }

    func end() throws {
        for command in nodes.values { #expect(command.end() == 0) }
        nodes = [:]
    }
}

/// The lanes of a phone and a watch that are processes with TCP between them.
@Suite(.timeLimit(.minutes(15)))
struct CompanionTCPTests {
    /// What breaks a transfer.
    enum Cut: CaseIterable {
        case connection, sender, receiver
    }

    private static let part = FileDigest.partBytes

    private func number(_ json: JSON?) -> Int { Int(json?.line ?? "") ?? -1 }

    private func list(_ json: JSON?) -> [JSON] {
        if case .array(let elements)? = json { elements } else { [] }
    }

    private func files(_ status: JSON) -> [JSON] { list(status["files"]) }

    private func app(_ device: TestDevice, _ options: String...) throws -> FollowedCommand {
        let command = try device.follow(
            ["companion", "watch", "--json", "--files", device.directory] + options)
        _ = try command.next("status")
        return command
    }

    @Test(arguments: [true, false], Cut.allCases)
    func `a file that is cut in the middle goes on where it stopped`(
        isFromWatch: Bool, cut: Cut
    ) throws {
        let couple = try Couple()
        try couple.start(couple.watch)
        let sender = isFromWatch ? couple.watch : couple.phone
        let receiver = couple.other(than: sender)
        var app = try app(receiver)
        try couple.waitUntilBothKnow()
        let text = (0..<100_000).map { "line \($0 &* 7_919)\n" }.joined()
        let file = try sender.write("leaflet", text)
        let direction: TCPRelay.Direction = isFromWatch ? .forth : .back
        let before = couple.relay.passed(direction)
        couple.relay.hold(direction, after: 8 * Self.part + 6_000)
        #expect(try sender.run("companion", "file", file, "name=leaflet").code == 0)
        #expect(couple.relay.waitUntilHeld())
        let sent = number(files(try couple.status(sender)).first?["sent"])
        #expect(sent >= 7 * Self.part && sent < text.utf8.count / 2)

        switch cut {
        case .connection: couple.relay.cut()
        case .sender:
            couple.kill(sender)
            couple.relay.cut()
            try couple.start(sender)
        case .receiver:
            couple.kill(receiver)
            couple.relay.cut()
            try couple.start(receiver)
            app = try self.app(receiver)
        }
        let received = try app.next("file")
        #expect(received["content"]?["name"] == .text("leaflet"))
        let content = receiver.read(try #require(received["path"]?.string))
        #expect(
            FileDigest.digest(of: Array(content.utf8)) == FileDigest.digest(of: Array(text.utf8)))
        #expect(content == text)
        // What was on its way is sent again, and perhaps again on a slow machine; no more.
        let all = text.utf8.count..<(text.utf8.count + sent / 2)
        #expect(all.contains(couple.relay.passed(direction) - before))
        #expect(all.contains(number(try couple.status(sender)["bytes"])))
        while try !files(couple.status(sender)).isEmpty {}
        try couple.end()
    }

    @Test func `messages, contexts and transfers for the face go between killed processes`()
        throws
    {
        let couple = try Couple()
        let (phone, watch) = (couple.phone, couple.watch)
        try couple.start(watch)
        var app = try app(watch, "--reply", #"{"shown":true}"#)
        try couple.waitUntilBothKnow()
        let send = ["companion", "send", "show=plan", "--json"]
        var reply = try phone.run(send)
        // Nothing was sent before the watch had said that it can take messages.
        while reply.code == 3 { reply = try phone.run(send) }
        #expect(try reply.objects().last?["content"]?["shown"] == .bool(true))
        #expect(try app.next("message")["content"]?["show"] == .text("plan"))

        #expect(try watch.run("companion", "face", "on").code == 0)
        while try couple.status(phone)["complicationEnabled"] != .bool(true) {}
        #expect(try phone.run("companion", "complication", "dose=1").code == 0)
        let first = try app.next("userInfo")
        #expect(first["content"]?["dose"] == .number("1") && first["complication"] == .bool(true))
        couple.kill(watch)
        for dose in 2...3 {
            #expect(try phone.run("companion", "complication", "dose=\(dose)").code == 0)
        }
        #expect(try phone.run("companion", "context", "next=09:00").code == 0)
        couple.kill(phone)
        try couple.start(phone)
        let status = try couple.status(phone)
        #expect(status["complicationTransfersLeft"] == .number("47"))
        #expect(list(status["userInfos"]).map { $0["current"] } == [.bool(false), .bool(true)])

        try couple.start(watch)
        app = try self.app(watch)
        var (doses, context): ([JSON?], JSON?) = ([], nil)
        while doses.count < 2 || context == nil {
            let event = try app.next()
            switch event["event"]?.string {
            case "userInfo": doses.append(event["content"]?["dose"])
            case "context": context = event["content"]?["next"]
            default: break
            }
        }
        #expect(doses == [.number("3"), .number("2")] && context == .text("09:00"))
        try couple.end()
    }

    @Test func `a file that is cut again and again arrives once, and whole`() throws {
        let couple = try Couple()
        try couple.start(couple.watch)
        try couple.waitUntilBothKnow()
        let relay = couple.relay
        let text = (0..<100_000).map { "line \($0 &* 104_729)\n" }.joined()
        let file = try couple.watch.write("leaflet", text)
        let before = relay.passed(.forth)
        relay.hold(.forth, after: 3 * Self.part)
        #expect(try couple.watch.run("companion", "file", file).code == 0)
        let cuts = 6
        for cut in 1...cuts {
            #expect(relay.waitUntilHeld())
            let ended = cut.isMultiple(of: 2) ? couple.watch : couple.phone
            couple.kill(ended)
            relay.cut()
            // At other places of a part each time.
            if cut < cuts { relay.hold(.forth, after: 4 * Self.part + cut * 7_000) }
            try couple.start(ended)
        }
        let app = try app(couple.phone)
        let received = try app.next("file")
        #expect(couple.phone.read(try #require(received["path"]?.string)) == text)
        let all = text.utf8.count..<(text.utf8.count + 2 * cuts * Self.part)
        #expect(all.contains(relay.passed(.forth) - before))
        while try !files(couple.status(couple.watch)).isEmpty {}
        try couple.end()
    }

    @Test func `the lanes go over whichever carrier there is, and nothing comes twice`() throws {
        let couple = try Couple()
        let link = "\(couple.phone.directory)/link"
        couple.kill(couple.phone)
        try couple.start(couple.phone, "--companion-link", link)
        try couple.start(couple.watch, "--companion-link", link)
        var app = try app(couple.phone)
        try couple.waitUntilBothKnow()
        #expect(try couple.watch.run("companion", "info", "dose=1").code == 0)
        #expect(try app.next("userInfo")["content"]?["dose"] == .number("1"))
        // TCP alone.
        couple.kill(couple.phone)
        #expect(try couple.watch.run("companion", "info", "dose=2").code == 0)
        try couple.start(couple.phone)
        app = try self.app(couple.phone)
        #expect(try app.next("userInfo")["content"]?["dose"] == .number("2"))
        #expect(try linkStatus(couple.watch)?["reachable"] == .bool(false))
        // The link alone.
        couple.kill(couple.phone)
        #expect(try couple.watch.run("companion", "info", "dose=3").code == 0)
        try couple.start(couple.phone, onlyOver: link)
        app = try self.app(couple.phone)
        #expect(try app.next("userInfo")["content"]?["dose"] == .number("3"))
        #expect(try couple.watch.run("companion", "info", "dose=4").code == 0)
        #expect(try app.next("userInfo")["content"]?["dose"] == .number("4"))
        #expect(try linkStatus(couple.watch)?["reachable"] == .bool(true))
        try couple.end()
    }

    @Test func `the phone's app goes on with another watch when its own is away`() throws {
        let couple = try Couple()
        try couple.start(couple.watch)
        let app = try app(couple.phone)
        try couple.waitUntilBothKnow()
        #expect(try couple.watch.run("companion", "info", "from=first").code == 0)
        #expect(try app.next("userInfo")["content"]?["from"] == .text("first"))
        couple.kill(couple.watch)
        let second = TestDevice()
        try couple.join(second)
        try couple.start(second)
        while try couple.status(second)["installed"] != .bool(true) {}
        #expect(try second.run("companion", "info", "from=second").code == 0)
        #expect(try app.next("userInfo")["content"]?["from"] == .text("second"))
        try couple.end()
    }

    private func linkStatus(_ device: TestDevice) throws -> JSON? {
        try device.run("status", "--json").objects().first?["companionLink"]
    }
}
