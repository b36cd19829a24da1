import Linnet
import LinnetCLI
import Testing

/// Roles of devices, as processes over loopback.
@Suite(.timeLimit(.minutes(15)))
struct RoleCommandTests: GroupOnLoopback {
    @Test func `a reader is told what to do instead of writing, and a member again writes`() throws
    {
        let laptop = try RunningDevice(TestDevice.founder())
        let phone = try admit("Phone", by: laptop)
        #expect(try phone.run("set", "medication/m1", "name=First").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)

        let trial = try laptop.device.run("role", "Phone", "reader", "--dry-run")
        #expect(trial.output.contains("would have the role reader"), "\(trial)")
        let given = try laptop.device.run("role", "Phone", "reader")
        #expect(
            given.output.contains("Phone had the role admin and has the role reader now"),
            "\(given)")
        #expect(try laptop.device.run("status").output.contains("Phone (phone, reader)"))
        // It has not heard: what it writes is late.
        #expect(try phone.run("set", "medication/m2", "name=Late").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        let refused = try phone.run("set", "medication/m3", "name=Never")
        #expect(refused.code == 1 && refused.error.contains("linnet role"), "\(refused.error)")
        #expect(try title("m1", on: laptop.device).contains("First"))
        #expect(try laptop.device.run("get", "medication/m2").code != 0)
        #expect(try laptop.device.run("late").output.contains("medication/m2"))
        #expect(try phone.run("digest").output == laptop.device.run("digest").output)
        let told = try laptop.device.run("removals").output
        #expect(told.contains("Phone was given the role reader by Laptop"), "\(told)")

        let last = try laptop.device.run("role", "Laptop", "member")
        #expect(last.code == 1 && last.error.contains("no admin left"), "\(last.error)")
        #expect(try phone.run("role", "Laptop", "reader").error.contains("admin"))
        #expect(try laptop.device.run("role", "Phone", "member").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try phone.run("set", "medication/m3", "name=Again").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try title("m3", on: laptop.device).contains("Again"))
        #expect(laptop.command.end() == 0)
    }

    @Test func `a device that is admitted as a reader has a name, reads and serves`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop, role: "reader")
        #expect(try laptop.device.run("status").output.contains("Tablet (reader)"))
        #expect(try laptop.device.run("set", "medication/m1", "name=Shown").code == 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try title("m1", on: tablet).contains("Shown"))
        #expect(try tablet.run("set", "medication/m1", "name=Mine").code == 1)
        let running = try RunningDevice(tablet, dialling: laptop.peer)
        _ = try running.command.next("in-step")
        #expect(try tablet.run("digest").output == laptop.device.run("digest").output)
        #expect(running.command.end() == 0)
        #expect(laptop.command.end() == 0)
    }

    @Test func `a relay is admitted and passes on what it cannot read`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let hub = try admit("Hub", by: laptop, role: "relay")
        let phone = try admit("Phone", by: laptop)
        #expect(try laptop.device.run("set", "medication/m1", "name=Secret").code == 0)
        #expect(try hub.run("sync", "--peer", laptop.peer).code == 0)
        #expect(laptop.command.end() == 0)
        #expect(try hub.run("get", "medication/m1").code != 0)
        let running = try RunningDevice(hub)
        let synced = try phone.run("sync", "--peer", running.peer)
        #expect(synced.code == 0, "\(synced.error)")
        #expect(try title("m1", on: phone).contains("Secret"))
        #expect(running.command.end() == 0)
    }

    @Test func `a caregiver is bound to scopes, reads these alone, and is unbound again`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        #expect(try laptop.device.run("set", "medication/m1", "name=Shown").code == 0)
        #expect(try laptop.device.run("set", "stock/m1", "stock=30").code == 0)
        let phone = try admit("Phone", by: laptop)
        let anna = try admit("Anna", by: laptop, role: "member", scopes: "meds")
        let shown = try laptop.device.run("status").output
        #expect(shown.contains("Anna (phone, member of devices,meds)"), "\(shown)")
        #expect(try title("m1", on: anna).contains("Shown"))
        #expect(try anna.run("get", "stock/m1").code != 0)
        let refused = try anna.run("set", "stock/m1", "stock+=1")
        #expect(
            refused.code == 1 && refused.error.contains("bound to other scopes than \"inventory\""),
            "\(refused.error)")
        #expect(try anna.run("set", "medication/m2", "name=Hers").code == 0)
        #expect(try anna.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try title("m2", on: laptop.device).contains("Hers"))

        let trial = try laptop.device.run("role", "Anna", "reader", "--scopes", "log", "--dry-run")
        #expect(trial.output.contains("would have the role reader of devices,log"), "\(trial)")
        let wide = try laptop.device.run("role", "Anna", "member", "--scopes", "all", "--json")
        #expect(wide.output.contains("\"scopesAfter\":\"all\""), "\(wide)")
        #expect(try anna.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try anna.run("get", "stock/m1").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try anna.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try anna.run("digest").output == laptop.device.run("digest").output)
        #expect(laptop.command.end() == 0)
    }

    @Test func `votes decide over a removal, and every device follows`() throws {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop)
        let phone = try admit("Phone", by: laptop)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try laptop.device.run("remove", "Tablet").code == 0)
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        let shown = try phone.run("removals", "--json")
        let row = try JSONReader.read(Array(shown.output.utf8.split(separator: 0x0a)[0]))
        let record = String(try #require(row["record"]?.string).prefix(8))
        #expect(try phone.run("removals").output.contains("record \(record); for it: "))
        let voted = try phone.run("vote", record, "against")
        #expect(voted.output.contains("against it: Phone"), "\(voted)")
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        let mine = try laptop.device.run("vote", record, "against")
        #expect(mine.output.contains("which has no effect"), "\(mine)")
        #expect(try laptop.device.run("status").output.contains("Tablet (phone, admin)"))
        #expect(try phone.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try phone.run("status").output.contains("Tablet (phone, admin)"))
        #expect(try tablet.run("set", "medication/m1", "name=Back").code == 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try title("m1", on: laptop.device).contains("Back"))
        #expect(laptop.command.end() == 0)
    }
}
