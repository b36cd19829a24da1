import Glibc
import Linnet
import LinnetCLI
import Testing

/// The companion lanes of a phone and a watch that are processes of their own.
@Suite(.timeLimit(.minutes(15)))
struct CompanionCommandTests {
    private let phone = TestDevice()
    private let watch = TestDevice()

    private var link: String { "\(phone.directory)/link" }

    private func run(_ device: TestDevice) throws -> FollowedCommand {
        let command = try device.follow(["run", "--json", "--companion-link", link, "--no-network"])
        _ = try command.next("ready")
        return command
    }

    private func end(_ command: FollowedCommand, _ signal: Int32 = SIGTERM) {
        command.process.signal(signal)
        _ = command.waitForEnd()
    }

    private func pairOverTheLink() throws {
        #expect(try phone.run("init", "--name", "Phone", "--kind", "phone").code == 0)
        let offer = try phone.follow(["pair", "--json", "--yes", "--companion-link", link])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try watch.run(
            "join", "--json", "--name", "Watch", "--kind", "watch", "--code", code,
            "--companion-link", link)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
    }

    @Test func `what was queued arrives in order and once, whichever side was killed meanwhile`()
        throws
    {
        try pairOverTheLink()
        var phoneRuns = try run(phone)
        var watchRuns = try run(watch)
        _ = try watchRuns.next("in-step")
        let atPhone = try phone.follow(["companion", "watch", "--json", "--reply", #"{"ok":true}"#])
        for device in [phone, watch] {
            while try status(device)["installed"] != .bool(true) {}
        }
        let reply = try watch.run("companion", "send", "take=aspirin", "--json")
        #expect(reply.code == 0, "\(reply.error)")
        #expect(try reply.objects().last?["content"]?["ok"] == .bool(true))
        #expect(try atPhone.next("message")["content"]?["take"] == .text("aspirin"))
        end(phoneRuns, SIGKILL)
        _ = atPhone.waitForEnd()
        #expect(try watch.run("companion", "info", "dose=1").code == 0)
        end(watchRuns, SIGKILL)
        #expect(try watch.run("companion", "info", "dose=2").code == 0)
        #expect(try watch.run("companion", "context", "next=08:00").code == 0)
        let file = try watch.write("leaflet", String(repeating: "leaflet ", count: 10_000))
        #expect(try watch.run("companion", "file", file, "name=leaflet").code == 0)
        guard case .array(let infos)? = try status(watch)["userInfos"] else {
            Issue.record("no user infos")
            return
        }
        #expect(infos.count == 2)

        phoneRuns = try run(phone)
        watchRuns = try run(watch)
        let again = try phone.follow(
            ["companion", "watch", "--json", "--files", phone.directory])
        var doses: [JSON?] = []
        var path = ""
        var context: JSON?
        while doses.count < 2 || path.isEmpty || context == nil {
            let event = try again.next()
            switch event["event"]?.string {
            case "userInfo": doses.append(event["content"]?["dose"])
            case "file": path = event["path"]?.string ?? "none"
            case "context": context = event["content"]?["next"]
            default: break
            }
        }
        #expect(doses == [.number("1"), .number("2")])
        #expect(context == .text("08:00"))
        #expect(phone.read(path) == watch.read(file))
        end(again)
        end(watchRuns)
        end(phoneRuns)
    }

    @Test func `the app is told how things stand first, then what has waited for it`() throws {
        try pairOverTheLink()
        let phoneRuns = try run(phone)
        let watchRuns = try run(watch)
        var app = try phone.follow(["companion", "watch", "--json"])
        while try status(watch)["installed"] != .bool(true) {}
        end(app)
        for round in 1...3 {
            let doses = (1...8).map { JSON.number("\(10 * round + $0)") }
            for dose in doses {
                #expect(try watch.run("companion", "info", "dose=\(dose.line)").code == 0)
            }
            // The phone has them all.
            while case .array(let infos)? = try status(watch)["userInfos"],
                infos.contains(where: { $0["sent"] != $0["total"] })
            {}
            app = try phone.follow(["companion", "watch", "--json"])
            #expect(try app.next()["event"] == .text("status"))
            for dose in doses { #expect(try app.next("userInfo")["content"]?["dose"] == dose) }
            end(app)
        }
        end(watchRuns)
        end(phoneRuns)
    }

    private func status(_ device: TestDevice) throws -> JSON {
        try #require(try device.run("companion", "status", "--json").objects().first)
    }

    @Test func `what cannot be done is said, with what to do`() throws {
        #expect(try phone.run("init", "--name", "Phone", "--kind", "phone").code == 0)
        let send = try phone.run("companion", "send", "a=1")
        #expect(send.code == 1 && send.error.contains("no watch is paired"))
        let watching = try phone.run("companion", "watch")
        #expect(watching.code == 3 && watching.error.contains("linnet run"))
        for words in [
            ["dance"], ["send"], ["info", "a"], ["info", "a=null"], ["face", "maybe"],
            ["status", "--reply", "{}"], ["file"], ["cancel"],
        ] {
            #expect(try phone.run(["companion"] + words).code == 2)
        }
        let laptop = try TestDevice.founder()
        let status = try laptop.run("companion", "status")
        #expect(status.code == 1 && status.error.contains("neither a phone nor a watch"))
    }
}
