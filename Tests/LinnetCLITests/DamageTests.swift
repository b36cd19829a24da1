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

    @Test func `sync names a batch that is damaged for good, and an export gets past it`() throws {
        let (laptop, phone) = (try TestDevice.founder(), TestDevice())
        var (running, peer) = try run(laptop)
        let offer = try laptop.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try phone.run(
            "join", "--name", "Phone", "--kind", "phone", "--code", code, "--peer", peer)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        #expect(running.end() == 0)
        for name in ["aspirin", "ibuprofen"] {
            #expect(try laptop.run("set", "medication/\(name)", "name=\(name)").code == 0)
        }
        try Damage.lastButOneBatch(ofHome: laptop.home)

        (running, peer) = try run(phone)
        let stuck = try sync(laptop, peer)
        #expect(stuck.code == 1)
        #expect(stuck.error.contains("is damaged on this disk"))
        #expect(stuck.error.contains("no device that was reached sent it again"))
        #expect(stuck.error.contains("'linnet export'"))
        #expect(try phone.run("get", "medication/aspirin").code != 0)

        let file = "\(laptop.directory)/medicines.jsonl"
        #expect(try laptop.run(["export", file] + Self.medicines).code == 0)
        #expect(try phone.run(["import", file] + Self.medicines).code == 0)
        #expect(try phone.run("set", "medication/aspirin", "form=tablet").code == 0)
        // What is damaged stays so; everything else goes both ways.
        #expect(try sync(laptop, peer).code == 1)
        for device in [laptop, phone] {
            let records = try device.run("list", "medication", "--json").objects()
            let names = records.compactMap { $0["fields"]?["name"]?.string }
            #expect(names.sorted() == ["aspirin", "ibuprofen"])
            let aspirin = try device.run("get", "medication/aspirin", "--json").objects().first
            #expect(aspirin?["fields"]?["form"] == .text("tablet"))
        }
        #expect(running.end() == 0)
    }
}
