import Linnet
import LinnetCLI
import Testing

/// Values that no message of 64 KiB holds, through the socket of a running node.
@Suite(.timeLimit(.minutes(15)))
struct LongValueTests {
    private let device: TestDevice

    init() throws { device = try KindCommandTests.device() }

    private func run() throws -> FollowedCommand {
        let running = try device.follow([
            "run", "--json", "--listen", "127.0.0.1:0", "--no-discovery",
        ])
        _ = try running.next("ready")
        return running
    }

    private func fields(_ words: String...) throws -> JSON? {
        let outcome = try device.run(words + ["--json"])
        #expect(outcome.code == 0, "\(outcome.error)")
        return try outcome.objects().first?["fields"]
    }

    @Test func `a text of five megabytes is written and read whole`() throws {
        let running = try run()
        let text = String(repeating: "A line that is neither short nor long: é.\n", count: 120_000)
        let file = try device.write("long.txt", text)
        #expect(try device.run("edit", "note/long", "body", "--file", file).code == 0)
        #expect(try device.run("set", "note/short", "title=S").code == 0)
        #expect(try fields("get", "note/long")?["body"]?.string == text)
        #expect(try fields("query", "note", "--where", "id = 'long'")?["body"]?.string == text)
        let list = try device.run("list", "note", "--json").objects()
        #expect(list.map { $0["fields"]?["body"]?.string } == [text, nil])
        let path = "\(device.directory)/out.jsonl"
        #expect(try device.run("export", path, "--collection", "note").code == 0)
        let other = try KindCommandTests.device("Other")
        #expect(try other.run("import", path, "--collection", "note").code == 0)
        let there = try other.run("get", "note/long", "--json").objects().first
        #expect(there?["fields"]?["body"]?.string == text)
        #expect(running.end() == 0)
    }

    @Test func `a set of a hundred thousand elements is written and read whole`() throws {
        let elements = (0..<100_000).map { "element-\($0)" }
        let line = JSON.object([
            JSON.Member("id", .text("many")),
            JSON.Member("tags", .array(elements.map(JSON.text))),
        ]).line
        let file = try device.write("many.jsonl", line + "\n")
        let imported = try device.run("import", file, "--collection", "note")
        #expect(imported.code == 0, "\(imported.error)")
        let running = try run()
        guard case .array(let tags)? = try fields("get", "note/many")?["tags"] else {
            Issue.record("the set is gone")
            return
        }
        #expect(tags.count == 100_000)
        #expect(Set(tags.compactMap(\.string)) == Set(elements))
        #expect(running.end() == 0)
    }

    @Test func `a value that is too long for its field is refused and nothing takes its place`()
        throws
    {
        let running = try run()
        #expect(try device.run("set", "note/x", "title=kept").code == 0)
        let long = String(repeating: "x", count: 70_000)
        let file = try device.write("in.jsonl", #"{"id":"x","title":""# + long + "\"}\n")
        let refused = try device.run("import", file, "--collection", "note")
        #expect(refused.code != 0 && refused.error.contains("title"))
        #expect(try fields("get", "note/x")?["title"]?.string == "kept")
        #expect(running.end() == 0)
    }
}
