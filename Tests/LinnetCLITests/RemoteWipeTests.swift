import Glibc
import Linnet
import LinnetCLI
import Testing

/// Removed devices that are asked to destroy themselves, as processes over loopback.
@Suite(.timeLimit(.minutes(15)))
struct RemoteWipeTests: GroupOnLoopback {
    private func hasKeys(_ device: TestDevice) -> Bool {
        ["key", "key.bak", "store.sqlite", "store.sqlite-wal"].contains {
            TestDevice.exists("\(device.home)/\($0)")
        }
    }

    @Test func `a device that comes back destroys itself, and the others keep everything`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop)
        let phone = try admit("Phone", by: laptop)
        #expect(try phone.run("set", "medication/m1", "name=First").code == 0)
        for device in [phone, tablet] {
            #expect(try device.run("sync", "--peer", laptop.peer).code == 0)
        }
        let early = try laptop.device.run("wipe", "--remote", "Phone")
        #expect(early.code == 1 && early.error.contains("'linnet remove DEVICE --wipe'"))
        let removed = try laptop.device.run("remove", "Phone", "--wipe")
        #expect(removed.code == 0, "\(removed.error)")
        #expect((removed.output + removed.error).contains("no guarantee"))
        let before = try laptop.device.run("removals").output
        #expect(before.contains("not known whether it obeyed"), "\(before)")
        #expect(hasKeys(phone))
        // Through a third device, which was told meanwhile.
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        let told = try phone.run("sync", "--peer", laptop.peer)
        #expect(told.code == 1 && told.error.contains("its keys and its data are gone"))
        #expect(!hasKeys(phone))
        let after = try laptop.device.run("removals").output
        #expect(after.contains("that it obeys"), "\(after)")
        let json = try laptop.device.run("removals", "--json").objects()[0]
        #expect(json["wipe"]?["good"] == true && json["wipe"]?["obeyed"]?.string?.count == 64)
        for device in [laptop.device, tablet] {
            #expect(hasKeys(device))
            #expect(try title("m1", on: device).contains("First"))
        }
        #expect(laptop.command.end() == 0)
    }

    @Test func `a node that runs ends when it is asked, and says why`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let phone = try RunningDevice(admit("Phone", by: laptop), dialling: laptop.peer)
        _ = try laptop.command.next("peer-connected")
        #expect(try laptop.device.run("remove", "Phone").code == 0)
        _ = try phone.command.next("member-removed")
        #expect(try laptop.device.run("wipe", "--remote", "Phone").code == 0)
        let reason = try phone.command.next("stopped")["reason"]?.string
        #expect(reason?.contains("asked it to destroy itself") == true)
        #expect(phone.command.waitForEnd() == 1)
        #expect(!hasKeys(phone.device))
        #expect(laptop.command.end() == 0)
    }

    @Test func `a device that was told not to obey keeps what it has`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let phone = try admit("Phone", by: laptop)
        #expect(try phone.run("wipe", "--obey", "no").output.contains("keeps what it has"))
        #expect(try laptop.device.run("remove", "Phone", "--wipe").code == 0)
        let told = try phone.run("sync", "--peer", laptop.peer)
        #expect(told.code == 1 && told.error.contains("removed from its group"), "\(told.error)")
        #expect(hasKeys(phone))
        #expect(try phone.run("status").output.contains("this device was removed by Laptop"))
        #expect(
            try laptop.device.run("removals").output.contains("not known whether it obeyed"))
        // It obeys at the next opening once it may.
        #expect(try phone.run("wipe", "--obey", "yes").code == 0)
        #expect(try phone.run("status").error.contains("its keys and its data are gone"))
        #expect(!hasKeys(phone))
        #expect(laptop.command.end() == 0)
    }

    @Test func `a member that is no admin asks in vain`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let phone = try admit("Phone", by: laptop)
        let member = try admit("Desk", by: laptop, role: "member")
        #expect(try laptop.device.run("remove", "Phone").code == 0)
        #expect(try member.run("sync", "--peer", laptop.peer).code == 0)
        let asked = try member.run("wipe", "--remote", "Phone")
        #expect(asked.code == 1 && asked.error.contains("admin"), "\(asked.error)")
        #expect(try phone.run("sync", "--peer", laptop.peer).code != 0)
        #expect(hasKeys(phone))
        #expect(laptop.command.end() == 0)
    }

    @Test func `a removal shows who holds it, as they sign`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try RunningDevice(
            admit("Tablet", by: laptop, role: "reader"), dialling: laptop.peer)
        _ = try admit("Phone", by: laptop)
        let absent = try admit("Desk", by: laptop)
        _ = try tablet.command.next("in-step")
        let removed = try laptop.device.run("remove", "Phone", "--json", "--wait", "60")
        #expect(removed.code == 0, "\(removed.error)")
        let receipts = try removed.objects().dropFirst()
        #expect(receipts.count == 1 && receipts.allSatisfy { $0["record"]?.string != nil })
        let shown = try laptop.device.run("removals").output
        #expect(shown.contains("held by: Laptop (signed"), "\(shown)")
        #expect(shown.contains("Tablet (signed") && shown.contains("to have heard: Desk"))
        #expect(try absent.run("sync", "--peer", laptop.peer).code == 0)
        let holders = try laptop.device.run("removals", "--json").objects()[0]["holders"]
        #expect(holders?.line.contains("record") == true)
        #expect(try laptop.device.run("removals").output.contains("Desk (signed"))
        #expect(tablet.command.end() == 0)
        #expect(laptop.command.end() == 0)
    }
}
