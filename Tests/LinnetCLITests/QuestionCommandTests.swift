import Linnet
import LinnetCLI
import Testing

/// Questions about what other devices did, as processes over loopback.
@Suite(.timeLimit(.minutes(15)))
struct QuestionCommandTests: GroupOnLoopback {
    @Test func `a person is asked of a newcomer and a removal that were not hers, and answers`()
        throws
    {
        let laptop = try RunningDevice(TestDevice.founder())
        let tablet = try admit("Tablet", by: laptop)
        #expect(try tablet.run("questions").output.isEmpty)
        _ = try admit("Phone", by: laptop)
        _ = try admit("Stranger", by: laptop)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        #expect(try laptop.device.run("questions").output.isEmpty)

        let asked = try tablet.run("questions").output
        #expect(asked.contains("Phone was let in by Laptop"), "\(asked)")
        #expect(asked.contains("Was that you?") && asked.contains("accepted at 20"), "\(asked)")
        let status = try tablet.run("status")
        #expect(status.output.contains("question: Stranger was let in by Laptop"), "\(status)")
        let listed = try tablet.run("questions", "--json").objects()
        #expect(listed.count == 2)
        let record = { (name: String) in
            try #require(listed.first { $0["name"]?.string == name }?["record"]?.string)
        }
        let accepted = try tablet.run("questions", "yes", String(record("Phone").prefix(8)))
        #expect(accepted.output.contains("This device accepts Phone."), "\(accepted)")
        let doubted = try tablet.run("questions", "no", String(record("Stranger").prefix(8)))
        #expect(doubted.output.contains("linnet remove Laptop --with Stranger"), "\(doubted)")
        let after = try tablet.run("questions").output
        #expect(after.contains("Stranger") && after.contains("you said no"), "\(after)")
        #expect(!after.contains("Phone") && !after.contains("accepted at"))

        #expect(try laptop.device.run("remove", "Phone", "--wait", "0").code == 0)
        #expect(try tablet.run("sync", "--peer", laptop.peer).code == 0)
        let removed = try tablet.run("questions", "--json").objects()
        let question = try #require(removed.first { $0["matter"]?.string == "removal" })
        #expect(question["detail"]?.string == "lost")
        let against = try tablet.run("questions", "no", try #require(question["record"]?.string))
        #expect(against.output.contains("votes against it"), "\(against)")
        let votes = try tablet.run("removals").output
        #expect(votes.contains("against it: Tablet"), "\(votes)")
        #expect(try tablet.run("questions").output.contains("Stranger"))
        #expect(laptop.command.end() == 0)
    }
}
