import Linnet
import LinnetCLI
import Testing

/// What commands say became of a write, and the exit codes that tell it to programs.
struct WriteOutcomeTests {
    private let device: TestDevice

    init() throws {
        device = try KindCommandTests.device()
        let made = try device.run("set", "note/x", "title=Tea", "tags+=a", "body=Hello", "stock=5")
        precondition(made.code == 0, made.error)
    }

    private func outcome(_ words: String...) throws -> (code: Int32, name: String?) {
        let outcome = try device.run(words + ["--json"])
        return (outcome.code, try outcome.objects().first?["outcome"]?.string)
    }

    @Test func `a write that shows ends with 0`() throws {
        for words in [
            ["set", "note/x", "title=Coffee"], ["edit", "note/x", "body", "--insert", "!"],
            ["move", "note/x", "--first"], ["delete", "note/x"], ["undelete", "note/x"],
            ["insert", "entry/2025-03-31", "n=1"],
        ] {
            let outcome = try device.run(words + ["--json"])
            #expect(outcome.code == 0, "\(words)")
            #expect(try outcome.objects().first?["outcome"]?.string == "visible", "\(words)")
        }
    }

    @Test func `a write of what is so already ends with 5 and does not say that it was written`()
        throws
    {
        #expect(try device.run("insert", "entry/2025-03-31", "n=1").code == 0)
        for words in [
            ["set", "note/x", "tags-=absent"], ["set", "note/x", "body=Hello"],
            ["edit", "note/x", "body", "--insert", ""], ["insert", "entry/2025-03-31", "n=1"],
            ["delete", "note/gone", "--intent", "1"], ["undelete", "note/x", "--intent", "2"],
        ] {
            let said = try device.run(words)
            #expect(said.code == 5, "\(words)")
            #expect(said.output.isEmpty, "\(words): \(said.output)")
            #expect(said.error.contains("nothing to do: "), "\(words): \(said.error)")
            let told = try device.run(words + ["--json"])
            #expect(try told.objects().first?["outcome"]?.string == "unchanged", "\(words)")
        }
        let digest = try device.run("digest").output
        #expect(try device.run("set", "note/x", "tags-=absent").code == 5)
        #expect(try device.run("digest").output == digest)
    }

    @Test func `a count that a recount had counted in ends with 4 and says so`() throws {
        #expect(try device.run("set", "note/x", "stock-=1@monday").code == 0)
        #expect(try device.run("set", "note/x", "stock=12").code == 0)
        let said = try device.run("set", "note/x", "stock-=1@monday")
        #expect(said.code == 4 && said.output.isEmpty)
        #expect(said.error.contains("note/x, stock: it was written but changes nothing"))
        let told = try #require(
            try device.run("set", "note/x", "stock-=1@monday", "--json").objects().first)
        #expect(told["outcome"]?.string == "hidden")
        #expect(told["hidden"]?.line.contains(#""reason":"counted""#) == true)
        let record = try #require(try device.run("get", "note/x", "--json").objects().first)
        #expect(record["fields"]?["stock"]?.line == "12")
    }

    @Test func `what became of the first try is told again under the same intent`() throws {
        #expect(try device.run("set", "note/x", "stock-=1@monday").code == 0)
        #expect(try device.run("set", "note/x", "stock=12").code == 0)
        let words = ["set", "note/x", "stock-=1@monday", "--intent", "tap"]
        #expect(try device.run(words).code == 4)
        let again = try device.run(words)
        #expect(again.code == 4 && again.error.contains("already done"))
        let other = ["set", "note/x", "title=B", "--intent", "other"]
        #expect(try device.run(other).code == 0)
        #expect(try device.run(other).code == 0)
    }

    @Test func `an import without anything to do ends with 5`() throws {
        let file = try device.write("in.jsonl", #"{"id":"a","title":"A"}"#)
        let words = ["import", file, "--collection", "note"]
        #expect(try device.run(words).code == 0)
        let again = try device.run(words)
        #expect(again.code == 5 && again.output.contains("0 new, 0 changed, 1 as they were"))
    }

    @Test func `a write into a month that is not held is refused with two ways to write it`() throws
    {
        let watch = TestDevice()
        let schema = try watch.write(
            "schema.json",
            """
            {"version": 1, "collections": [
             {"id": 2000, "name": "entry", "kind": "log", "scope": {"name": "log", "by": "month"},
              "fields": [{"id": 1, "name": "n", "type": "int"}]}]}
            """)
        let made = try watch.run("init", "--name", "W", "--kind", "watch", "--schema", schema)
        #expect(made.code == 0, "\(made.error)")
        // From its first run on a watch holds what is recent.
        let run = ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"]
        let running = try watch.follow(run)
        _ = try running.next("ready")
        #expect(running.end() == 0)
        let refused = try watch.run("insert", "entry/2020-01-05", "n=1")
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("the scope \"log/2020-01\" is not held here"))
        #expect(refused.error.contains("Write it on a device that holds it"), "\(refused.error)")
        #expect(refused.error.contains("'linnet run --hold-everything'"))
        #expect(try watch.run("list", "entry").output.contains("2020-01-05") == false)
    }

    @Test func `a running node tells the same`() throws {
        let running = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        _ = try running.next("ready")
        #expect(try outcome("set", "note/x", "stock-=1@k") == (0, "visible"))
        #expect(try outcome("set", "note/x", "stock=3") == (0, "visible"))
        #expect(try outcome("set", "note/x", "stock-=1@k") == (4, "hidden"))
        #expect(try outcome("set", "note/x", "tags-=absent") == (5, "unchanged"))
        #expect(try outcome("delete", "note/x") == (0, "visible"))
        #expect(running.end() == 0)
    }
}
