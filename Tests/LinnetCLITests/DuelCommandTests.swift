import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// Two devices that remove each other while they are apart, as processes over loopback.
@Suite(.timeLimit(.minutes(15)))
struct DuelCommandTests: GroupOnLoopback {
    /// Five devices that accepted each other, and a laptop and a tablet that removed each other.
    private struct Duel {
        let laptop: TestDevice
        let tablet: TestDevice
        /// It hears of the tablet's removal first, and votes for it.
        let phone: TestDevice
        /// It hears of the laptop's removal first, and votes for it.
        let desk: TestDevice
        /// It hears of nothing until it is over.
        let watch: TestDevice

        var all: [TestDevice] { [laptop, tablet, phone, desk, watch] }
    }

    private func accept(_ device: TestDevice) throws {
        for question in try device.run("questions", "--json").objects() {
            let record = try #require(question["record"]?.string)
            #expect(try device.run("questions", "yes", record).code == 0)
        }
    }

    private func duel() throws -> Duel {
        let founder = try RunningDevice(TestDevice.founder())
        let others = try ["Tablet", "Phone", "Desk", "Watch"].map { try admit($0, by: founder) }
        for device in others {
            #expect(try device.run("sync", "--peer", founder.peer).code == 0)
            try accept(device)
        }
        for _ in 0..<2 {
            for device in others {
                #expect(try device.run("sync", "--peer", founder.peer).code == 0)
            }
        }
        #expect(founder.command.end() == 0)
        return Duel(
            laptop: founder.device, tablet: others[0], phone: others[1], desk: others[2],
            watch: others[3])
    }

    /// Has others exchange with a device until all know what all of them knew.
    private func gather(_ devices: [TestDevice], at host: TestDevice) throws {
        let hub = try RunningDevice(host)
        for _ in 0..<2 {
            for device in devices {
                let synced = try device.run("sync", "--peer", hub.peer)
                #expect(synced.code == 0, "\(synced.error)")
            }
        }
        #expect(hub.command.end() == 0)
    }

    /// The names of the members, as a device shows them.
    private func members(on device: TestDevice) throws -> [String] {
        let status = try #require(try device.run("status", "--json").objects().first)
        guard case .array(let devices)? = status["devices"] else { return [] }
        return devices.compactMap { $0["name"]?.string }.sorted()
    }

    /// The removals as all devices have to show them: without who is known to have heard.
    private func verdict(on device: TestDevice) throws -> [String] {
        try device.run("removals", "--json").objects().map { removal in
            ["record", "stands", "rivals", "for", "against", "silent", "uncountedFor"]
                .map { "\($0) \(removal[$0]?.line ?? "none")" }.joined(separator: "; ")
        }
    }

    /// The lines that `linnet removals` shows of the removal of a device.
    private func shown(_ name: String, on device: TestDevice) throws -> String {
        let output = try device.run("removals").output
        let parts = output.split(separator: "\n", omittingEmptySubsequences: true)
        guard let start = parts.firstIndex(where: { $0.hasPrefix("\(name) was removed") }) else {
            return ""
        }
        return parts[start...].prefix(2).joined(separator: "\n")
    }

    private func record(ofRemoving name: String, on device: TestDevice) throws -> String {
        let removals = try device.run("removals", "--json").objects()
        let removal = try #require(removals.first { $0["name"]?.string == name })
        return try #require(removal["record"]?.string)
    }

    @Test func `all show the same members of a duel, who voted what, and that a vote turned it`()
        throws
    {
        let duel = try duel()
        #expect(try duel.laptop.run("remove", "Tablet", "--wait", "0").code == 0)
        #expect(try duel.tablet.run("set", "medication/m1", "name=Apart").code == 0)
        #expect(try duel.tablet.run("remove", "Laptop", "--wait", "0").code == 0)
        try gather([duel.phone], at: duel.tablet)
        try gather([duel.desk], at: duel.laptop)
        #expect(try members(on: duel.phone) == ["Desk", "Phone", "Tablet", "Watch"])
        #expect(try members(on: duel.desk) == ["Desk", "Laptop", "Phone", "Watch"])

        // Both sides meet: two against two, and the word of the senior device decides.
        try gather([duel.phone, duel.desk], at: duel.laptop)
        let first = try verdict(on: duel.laptop)
        #expect(first.count == 2)
        for device in [duel.laptop, duel.phone, duel.desk] {
            #expect(try members(on: device) == ["Desk", "Laptop", "Phone", "Watch"])
            #expect(try verdict(on: device) == first)
            let standing = try shown("Tablet", on: device)
            #expect(standing.contains("against it: ") && standing.contains("Phone"), "\(standing)")
            #expect(standing.contains("for it: ") && standing.contains("Desk"), "\(standing)")
            #expect(standing.contains("has not spoken: Watch"), "\(standing)")
            #expect(standing.contains("a duel with record"), "\(standing)")
        }
        #expect(try shown("Laptop", on: duel.desk).contains("which has no effect"))
        let told = try duel.phone.run("status").output
        #expect(told.contains("the removal of Laptop by Tablet stood here and has no"), "\(told)")
        #expect(try !duel.desk.run("status").output.contains("stood here"))
        #expect(try duel.desk.run("get", "medication/m1").code != 0)

        // One person changes her mind: neither removal has effect.
        let removal = try record(ofRemoving: "Tablet", on: duel.desk)
        #expect(try duel.desk.run("vote", removal, "against").output.contains("no effect"))
        try gather([duel.laptop, duel.phone, duel.tablet, duel.watch], at: duel.desk)
        let second = try verdict(on: duel.desk)
        #expect(second != first)
        for device in duel.all {
            #expect(try members(on: device) == ["Desk", "Laptop", "Phone", "Tablet", "Watch"])
            #expect(try verdict(on: device) == second)
            #expect(try title("m1", on: device).contains("Apart"))
        }
        let back = try duel.laptop.run("status").output
        #expect(back.contains("the removal of Tablet by Laptop stood here and has no"), "\(back)")
        #expect(try duel.laptop.run("doctor", "--acknowledge").code == 0)
        #expect(try !duel.laptop.run("status").output.contains("stood here"))
    }

    @Test func `a sync says that the device which it reached is out, or that this one is`() throws {
        let founder = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: founder)
        let phone = try admit("Phone", by: founder)
        #expect(try tablet.run("sync", "--peer", founder.peer).code == 0)
        #expect(try founder.device.run("remove", "Phone", "--wait", "0").code == 0)
        #expect(founder.command.end() == 0)

        // The phone does not know yet that it is out.
        let lost = try RunningDevice(phone)
        let first = try founder.device.run("sync", "--peer", lost.peer)
        #expect(first.code == 1, "\(first)")
        #expect(first.error.contains("Phone at \(lost.peer) was reached and belongs"), "\(first)")
        #expect(first.error.contains("linnet removals"))
        // Now it does.
        let again = try founder.device.run("sync", "--peer", lost.peer)
        #expect(again.error.contains("belongs to the group no more"), "\(again)")
        #expect(lost.command.end() == 0)
        let own = try phone.run("sync", "--peer", lost.peer)
        #expect(own.error.contains("removed from its group"), "\(own)")
    }
}
