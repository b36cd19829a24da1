import Linnet
import LinnetCLI
import Testing

/// Two groups become one, as processes.
@Suite(.timeLimit(.minutes(15)))
struct MergeCommandTests: GroupOnLoopback {
    private func two() throws -> (laptop: TestDevice, phone: TestDevice) {
        let laptop = try TestDevice.founder()
        let phone = try TestDevice.founder("Phone")
        #expect(try laptop.run("set", "medication/m1", "name=Aspirin").code == 0)
        #expect(try laptop.run("set", "medication/both", "name=Laptop's").code == 0)
        #expect(try phone.run("set", "medication/p1", "name=Ibuprofen").code == 0)
        #expect(try phone.run("set", "medication/p1", "name=Ibuprofen 400").code == 0)
        #expect(try phone.run("set", "medication/both", "name=Phone's").code == 0)
        return (laptop, phone)
    }

    @Test func `another group comes whole, once, and its history names its writers`() throws {
        let (laptop, phone) = try two()
        let before = try laptop.run("digest").output
        let trial = try laptop.run("merge", phone.home, "--dry-run")
        #expect(trial.code == 0, "\(trial.error)")
        #expect(trial.output.contains("3 transactions"), "\(trial.output)")
        #expect(trial.output.contains("medication/both"), "\(trial.output)")
        #expect(try laptop.run("digest").output == before)

        let merged = try laptop.run("merge", phone.home)
        #expect(merged.output.contains("3 transactions"), "\(merged)")
        #expect(try laptop.run("get", "medication/p1").output.contains("Ibuprofen 400"))
        #expect(try laptop.run("get", "medication/both").output.contains("Phone's"))
        let history = try laptop.run("history", "medication/p1", "name").output
        #expect(history.contains("Phone") && history.contains("brought by Laptop"), "\(history)")
        #expect(history.split(separator: "\n").count == 2)
        let both = try laptop.run("history", "medication/both", "name").output
        #expect(both.contains("Laptop's") && both.contains("Phone's"), "\(both)")

        let again = try laptop.run("merge", phone.home, "--json").objects()[0]
        #expect(again["brought"]?.line == "0")
        #expect(again["known"]?.line == "3")
        #expect(try phone.run("history", "medication/p1").code == 0)
    }

    @Test func `a running node merges, and its group has it all`() throws {
        let (laptop, phone) = try two()
        let running = try RunningDevice(laptop)
        let tablet = try admit("Tablet", by: running)
        let merged = try laptop.run("merge", phone.home)
        #expect(merged.code == 0, "\(merged.error)")
        #expect(try tablet.run("sync", "--peer", running.peer).code == 0)
        #expect(try title("p1", on: tablet).contains("Ibuprofen 400"))
        #expect(try tablet.run("digest").output == laptop.run("digest").output)
        let history = try tablet.run("history", "medication/p1", "name").output
        #expect(history.contains("Phone") && history.contains("brought by Laptop"), "\(history)")
    }

    @Test func `what cannot be merged is refused, and nothing changes`() throws {
        let (laptop, phone) = try two()
        let before = try laptop.run("digest").output
        let itself = try laptop.run("merge", laptop.home)
        #expect(itself.code == 2, "\(itself)")
        let running = try RunningDevice(phone)
        let busy = try laptop.run("merge", phone.home)
        #expect(busy.code == 1 && !busy.error.isEmpty, "\(busy)")
        let tablet = try admit("Tablet", by: running)
        #expect(running.command.end() == 0)
        let same = try phone.run("merge", tablet.home)
        #expect(same.error.contains("same group"), "\(same)")

        let pantry = TestDevice()
        let made = try pantry.run(
            "init", "--name", "Pantry", "--kind", "laptop", "--schema", "docs/samples/pantry.json")
        #expect(made.code == 0, "\(made.error)")
        let other = try laptop.run("merge", pantry.home)
        #expect(other.code == 1)
        #expect(other.error.contains("this group has no such collection"), "\(other.error)")
        #expect(try laptop.run("digest").output == before)
    }

    @Test func `a home with a passphrase is opened with it`() throws {
        let (laptop, phone) = try two()
        let file = try phone.write("words", "a long enough passphrase\n")
        let set = try phone.run("passphrase", "set", "--new-passphrase-file", file)
        #expect(set.code == 0, "\(set.error)")
        let without = try laptop.run("merge", phone.home)
        #expect(without.code == 1)
        #expect(without.error.contains("--from-passphrase-file"), "\(without.error)")
        let with = try laptop.run("merge", phone.home, "--from-passphrase-file", file)
        #expect(with.output.contains("3 transactions"), "\(with)")
    }
}
