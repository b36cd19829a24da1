import Linnet
import LinnetCLI
import Testing

/// Late writes of a removed device, as processes over loopback.
@Suite(.timeLimit(.minutes(15)))
struct LateCommandTests: GroupOnLoopback {
    @Test func `late writes that another device brings are listed, and accepted or dropped`() throws
    {
        let first = try RunningDevice(TestDevice.founder())
        let (device, peer) = (first.device, first.peer)
        let tablet = try admit("Tablet", by: first)
        let phone = try admit("Phone", by: first)
        #expect(try tablet.run("sync", "--peer", peer).code == 0)
        #expect(try device.run("late").output.isEmpty)

        #expect(first.command.end() == 0)

        // The tablet takes what the phone writes, and the laptop removes the phone without it.
        let alone = try RunningDevice(tablet)
        for number in 1...3 {
            #expect(try phone.run("set", "medication/m\(number)", "name=Late").code == 0)
        }
        let synced = try phone.run("sync", "--peer", alone.peer)
        #expect(synced.code == 0, "\(synced.error)")
        #expect(alone.command.end() == 0)
        #expect(try tablet.run("get", "medication/m1").code == 0)
        #expect(try device.run("remove", "Phone").code == 0)
        let laptop = try RunningDevice(device)
        let brought = try tablet.run("sync", "--peer", laptop.peer)
        #expect(brought.code == 0, "\(brought.error)")
        #expect(try tablet.run("get", "medication/m1").code != 0)

        let listed = try laptop.device.run("late").output
        #expect(listed.contains("Phone, chain") && listed.contains("3 changes"), "\(listed)")
        #expect(listed.contains("written as it says 20"), "\(listed)")
        #expect(listed.contains("medication/m1") && listed.contains("medication/m3"))
        let status = try laptop.device.run("status").output
        #expect(status.contains("late: 3 batches") && status.contains("'linnet late'"))
        let trial = try laptop.device.run("remove", "Tablet", "--dry-run").output
        #expect(trial.contains("'linnet late' shows them"), "\(trial)")
        let rows = try laptop.device.run("late", "--json")
        let late = try JSONReader.read(Array(rows.output.utf8.split(separator: 0x0a)[0]))
        let number = try #require(late["first"]?.line)
        #expect(try laptop.device.run("late", "accept", "Nobody").code == 1)

        let accepted = try laptop.device.run(
            "late", "accept", "Phone", "--through", number)
        #expect(accepted.output.contains("1 batch of Phone"), "\(accepted)")
        #expect(try laptop.device.run("get", "medication/m1").code == 0)
        #expect(try laptop.device.run("get", "medication/m2").code != 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try tablet.run("get", "medication/m1").code == 0)
        #expect(try tablet.run("get", "medication/m2").code != 0)
        #expect(try tablet.run("digest").output == laptop.device.run("digest").output)

        let dropped = try laptop.device.run("late", "drop", "Phone")
        #expect(dropped.output.contains("2 batches"), "\(dropped)")
        #expect(try laptop.device.run("late").output.isEmpty)
        #expect(try laptop.device.run("late", "--dropped").output.contains("dropped"))
        #expect(try tablet.run("late").output.contains("2 changes"))
        #expect(try !laptop.device.run("status").output.contains("late:"))
        #expect(laptop.command.end() == 0)
    }
}
