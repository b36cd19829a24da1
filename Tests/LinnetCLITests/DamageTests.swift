import Linnet
import LinnetCLI
import Testing

/// A disk that changes a bit of what nobody else has yet.
@Suite(.timeLimit(.minutes(15)))
struct DamageTests {
    private static let medicines = ["--collection", "medication"]

    private func run(_ device: TestDevice) throws -> (FollowedCommand, peer: String) {
        let command = try device.follow(
            ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"])
        let port = try #require(try command.next("ready")["port"]?.line)
        return (command, "127.0.0.1:\(port)")
    }

    /// One exchange; again when a slow machine did not come far enough to find the damage.
    private func sync(_ device: TestDevice, _ peer: String) throws -> TestDevice.Outcome {
        while true {
            let outcome = try device.run("sync", "--peer", peer, "--timeout", "2")
            if outcome.code != 3 { return outcome }
        }
    }

    /// Adds a second device to the group of the first one, whose node is running.
    private func join(_ phone: TestDevice, _ laptop: TestDevice, _ peer: String) throws {
        let offer = try laptop.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try phone.run(
            "join", "--name", "Phone", "--kind", "phone", "--code", code, "--peer", peer)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
    }

    /// What a command prints of a field of the note.
    private func field(_ name: String, _ device: TestDevice) throws -> String? {
        try device.run("get", "note/x", "--json").objects().first?["fields"]?[name]?.line
    }

    @Test(arguments: [false, true])
    func `what a disk lost before anybody had it is written again, and nothing counts twice`(
        _ isGone: Bool
    ) throws {
        let (laptop, phone) = (try KindCommandTests.device(), TestDevice())
        var (running, peer) = try run(laptop)
        try join(phone, laptop, peer)
        #expect(running.end() == 0)
        for number in 1...6 {
            #expect(
                try laptop.run(
                    "set", "note/x", "stock+=10", "tags+=tag\(number)", "title=t\(number)"
                ).code == 0)
        }
        for offset in [1, 3] {
            if isGone {
                try Damage.removeBatch(beforeLast: offset, ofHome: laptop.home)
            } else {
                try Damage.changeBatch(beforeLast: offset, ofHome: laptop.home)
            }
        }
        (running, peer) = try run(phone)
        let synced = try sync(laptop, peer)
        #expect(synced.code == 0, "\(synced.error)")
        for device in [laptop, phone] {
            #expect(try field("stock", device) == "60")
            #expect(try field("title", device) == #""t6""#)
            #expect(
                try field("tags", device)
                    == #"["tag1","tag2","tag3","tag4","tag5","tag6"]"#)
        }
        #expect(try laptop.run("digest").output == phone.run("digest").output)
        #expect(try phone.run("set", "note/x", "stock+=-1").code == 0)
        #expect(try sync(laptop, peer).code == 0)
        #expect(try field("stock", laptop) == "59")
        #expect(running.end() == 0)

        // The person is told until she says that she knows.
        let told = try laptop.run("doctor")
        #expect(
            told.code == 1 && told.output.contains("2 batches that this device wrote were lost"))
        #expect(try laptop.run("status").output.contains("were lost on this disk"))
        #expect(try laptop.run("doctor", "--acknowledge").code == 0)
        let after = try laptop.run("doctor")
        #expect(!after.output.contains("were lost on this disk"))
        #expect(try laptop.run("doctor", "--restate").output.contains("no changes"))
    }
}
