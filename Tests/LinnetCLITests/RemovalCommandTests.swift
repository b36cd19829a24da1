import Glibc
import Linnet
import LinnetCLI
import Testing

/// Devices that are taken out of their group, as processes over loopback.
@Suite(.timeLimit(.minutes(15)))
struct RemovalCommandTests: GroupOnLoopback {
    @Test func `a lost device is out, and the others go on without it`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop)
        let phone = try admit("Phone", by: laptop)
        #expect(try phone.run("set", "medication/m1", "name=First").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        // It writes something that it does not send.
        #expect(try phone.run("set", "medication/m2", "name=Late").code == 0)

        let trial = try laptop.device.run("remove", "Phone", "--dry-run")
        #expect(trial.code == 0 && trial.output.contains("nothing was changed"))
        #expect(try laptop.device.run("removals").output.isEmpty)
        #expect(try laptop.device.run("remove", "Nobody").error.contains("no other device"))
        let removed = try laptop.device.run("remove", "Phone", "--reason", "lost")
        #expect(removed.code == 0, "\(removed.error)")
        #expect(removed.output.contains("Phone is out of the group"))
        #expect(removed.output.contains("Tablet"))
        let before = try laptop.device.run("removals").output
        #expect(before.contains("not known to have heard: Tablet"), "\(before)")

        let running = try RunningDevice(tablet, dialling: laptop.peer)
        _ = try running.command.next("member-removed")
        #expect(try tablet.run("set", "medication/m3", "name=After").code == 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        var after = try laptop.device.run("removals").output
        for _ in 0..<200 where after.contains("not known to have heard") {
            after = try laptop.device.run("removals").output
        }
        #expect(after.contains("Phone was removed by Laptop (lost)"), "\(after)")
        #expect(!after.contains("not known to have heard"), "\(after)")
        #expect(try tablet.run("status").output.contains("Phone was removed by Laptop"))

        // The device learns of it, and nothing more.
        let told = try phone.run("sync", "--peer", laptop.peer)
        #expect(told.code != 0 && told.error.contains("removed from its group"), "\(told.error)")
        #expect(try phone.run("status").output.contains("this device was removed by Laptop"))
        let refused = try phone.run("set", "medication/m4", "name=Never")
        #expect(refused.code != 0 && refused.error.contains("removed from its group"))
        #expect(try title("m2", on: phone).contains("Late"))
        #expect(try phone.run("get", "medication/m3").code != 0)
        #expect(try laptop.device.run("get", "medication/m2").code != 0)
        #expect(try title("m1", on: tablet).contains("First"))
        #expect(try title("m3", on: laptop.device).contains("After"))
        #expect(
            try tablet.run("digest").output == laptop.device.run("digest").output)
        #expect(running.command.end() == 0)
        #expect(laptop.command.end() == 0)
    }

    @Test func `a sync brings a removal over, also where there is nothing else to bring`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop)
        _ = try admit("Phone", by: laptop)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try laptop.device.run("remove", "Phone").code == 0)
        #expect(try tablet.run("removals").output.isEmpty)
        let synced = try tablet.run("sync", "--peer", laptop.peer)
        #expect(synced.code == 0, "\(synced.error)")
        #expect(try tablet.run("removals").output.contains("Phone was removed by Laptop"))
        #expect(laptop.command.end() == 0)
    }

    @Test func `a device leaves its group`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let phone = try admit("Phone", by: laptop)
        #expect(try phone.run("leave").output.contains("out of its group"))
        #expect(try phone.run("status").output.contains("this device left the group"))
        #expect(try phone.run("set", "medication/m1", "name=Never").code != 0)
        // A leave is told by the one that left, when it meets somebody.
        #expect(try laptop.device.run("removals").output.isEmpty)
        #expect(laptop.command.end() == 0)
    }
}
