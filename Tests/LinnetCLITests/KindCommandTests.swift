import Linnet
import LinnetCLI
import Testing

/// Every kind of field, from the command line.
struct KindCommandTests {
    static let schema = """
        {"version": 1, "collections": [
         {"id": 2000, "name": "note", "scope": "notes", "fields": [
          {"id": 1, "name": "title", "type": "text"},
          {"id": 2, "name": "price", "group": [{"name": "amount", "type": "decimal"},
                                               {"name": "per", "choice": ["piece", "box"]}]},
          {"id": 3, "name": "tags", "kind": "set", "type": "text"},
          {"id": 6, "name": "stock", "kind": "tally", "type": "int"},
          {"id": 7, "name": "body", "kind": "text"},
          {"id": 8, "name": "place", "kind": "order"},
          {"id": 9, "name": "mark", "kind": "mv", "type": "text"}]},
         {"id": 2002, "name": "entry", "scope": {"name": "log", "by": "month"}, "kind": "log",
          "fields": [{"id": 1, "name": "at", "type": "date"},
                     {"id": 2, "name": "n", "type": "int"}]}]}
        """

    /// A device with these collections.
    static func device(_ name: String = "Laptop") throws -> TestDevice {
        let device = TestDevice()
        let file = try device.write("schema.json", schema)
        let made = try device.run("init", "--name", name, "--kind", "laptop", "--schema", file)
        precondition(made.code == 0, made.error)
        return device
    }

    private func field(_ name: String, _ device: TestDevice, _ id: String = "x") throws -> String? {
        try device.run("get", "note/\(id)", "--json").objects().first?["fields"]?[name]?.line
    }

    @Test func `the largest value stays, and history and why say who wrote it`() throws {
        let device = TestDevice()
        let file = try device.write(
            "schema.json",
            #"{"version": 1, "collections": ["#
                + #"{"id": 2000, "name": "alarm", "scope": "a", "fields": ["#
                + #"{"id": 1, "name": "seen", "kind": "max", "type": "bool"},"#
                + #"{"id": 2, "name": "least", "kind": "min", "type": "int", "index": "clear"}]}]}"#
        )
        #expect(
            try device.run("init", "--name", "Laptop", "--kind", "laptop", "--schema", file).code
                == 0)
        #expect(try device.run("schema", "show").output.contains("the largest ever written"))
        #expect(try device.run("set", "alarm/x", "seen=true", "least=4").code == 0)
        let lowered = try device.run("set", "alarm/x", "seen=false", "least=9", "--json")
        #expect(lowered.output.contains("surpassed"))
        let shown = try device.run("get", "alarm/x", "--json").objects().first?["fields"]?.line
        #expect(shown == #"{"seen":true,"least":4}"#)
        let history = try device.run("history", "alarm/x", "seen", "--json").objects()
        #expect(history.count == 2)
        let why = try device.run("why", "alarm/x", "seen")
        #expect(why.code == 0 && why.output.contains("The largest value that was ever written"))
        let found = try device.run("query", "alarm", "--where", "least < 5", "--json")
        #expect(found.output.contains(#""x""#))
        #expect(try device.run("set", "alarm/x", "seen+=true").error.contains("one value"))
    }

    @Test func `of several collections export and import ask which`() throws {
        let device = try Self.device()
        let file = try device.write("in.jsonl", #"{"id":"a","title":"A"}"#)
        for command in ["export", "import"] {
            let answer = try device.run(command, file)
            #expect(answer.code == 2 && answer.error.contains("--collection: note, entry"))
        }
        #expect(try device.run("import", file, "--collection", "note").code == 0)
    }

    @Test func `set adds, removes, counts and rewrites by the kind of the field`() throws {
        let device = try Self.device()
        let first = [
            "set", "note/x", "title=Tea", "tags+=b", "tags+=a", "stock+=30", "body=Hello",
            "mark=m", "amount=2.5",
        ]
        #expect(try device.run(first).code == 0)
        #expect(
            try device.run("get", "note/x", "--json").objects().first?["fields"]?.line
                == #"{"title":"Tea","price":{"amount":2.5},"tags":["a","b"],"stock":30,"#
                + #""body":"Hello","mark":"m"}"#)
        for _ in 0..<2 { #expect(try device.run("set", "note/x", "stock-=1@monday").code == 0) }
        #expect(try field("stock", device) == "29")
        #expect(try device.run("set", "note/x", "stock-=4", "--key", "monday").code == 0)
        #expect(try field("stock", device) == "26")
        #expect(try device.run("set", "note/x", "stock=12", "tags-=a").code == 0)
        #expect(try field("stock", device) == "12")
        #expect(try field("tags", device) == #"["b"]"#)
    }

    @Test(arguments: [
        (["set", "note/x", "tags=a"], "tags+=VALUE"), (["set", "note/x", "title+=a"], "one value"),
        (["set", "note/x", "body+=a"], "linnet edit"),
        (["set", "note/x", "place=a"], "linnet move"),
        (["set", "note/x", "stock+=x"], "a whole number"),
        (["set", "note/x", "stock=1", "stock+=2"], "given twice"),
        (["insert", "note/x", "title=a"], "is not a log"),
        (["edit", "note/x", "title", "--insert", "a"], "texts are body"),
        (["edit", "note/x", "body"], "--insert TEXT"),
        (["edit", "note/x", "body", "--at", "1"], "give --insert or --delete"),
        (["edit", "note/x", "body", "--delete", "1"], "--delete needs --at"),
        (["edit", "note/x", "body", "--file", "a", "--insert", "b"], "leave --insert out"),
        (["move", "note/x"], "give one of --after"),
        (["move", "entry/x", "--first"], "no field of the kind order"),
        (["move", "note/x", "--after", "entry/x"], "both records must be of note"),
        (["move", "note/x", "--first", "--field", "title"], "is not an order"),
        (["query", "note", "--where", "titel = a"], "column 1, at 'titel'"),
        (["query", "note", "--sort", "-titel"], "did you mean 'title'?"),
        (["query", "note", "--limit", "x"], "whole number"),
        (["history"], "missing argument C/ID"), (["why", "note/x"], "missing argument FIELD"),
        (["why", "note/x", "titel"], "did you mean 'title'?"),
        (["trash", "nothing"], "collection"),
        (["undelete", "note"], "not of the form C/ID"), (["watch", "nothing"], "no collection"),
        (["set", "note/x", "title=a", "--intent", ""], "1 to 64 bytes"),
        (["insert", "entry/x", "n=1"], "YYYY-MM"),
    ])
    func `wrong words end with code 2 and say what is meant`(
        words: [String], message: String
    ) throws {
        let outcome = try Self.device().run(words)
        #expect(outcome.code == 2)
        #expect(outcome.error.contains(message))
    }

    @Test func `a text is edited in part and as a whole`() throws {
        let device = try Self.device()
        #expect(try device.run("edit", "note/x", "body", "--insert", "Grüße 👩‍👧 dir").code == 0)
        #expect(
            try device.run(
                "edit", "note/x", "body", "--at", "6", "--delete", "1", "--insert", "an"
            ).code == 0)
        #expect(try field("body", device) == #""Grüße an dir""#)
        let file = try device.write("text", "Grüße an alle\n")
        #expect(try device.run("edit", "note/x", "body", "--file", file).code == 0)
        #expect(try field("body", device) == #""Grüße an alle\n""#)
        let far = try device.run("edit", "note/x", "body", "--at", "99", "--insert", "x")
        #expect(far.code != 0)
        #expect(far.error.contains("14 characters"))
    }

    @Test func `records move among each other`() throws {
        let device = try Self.device()
        for id in ["a", "b", "c"] {
            #expect(try device.run("set", "note/\(id)", "title=\(id)").code == 0)
        }
        func order() throws -> [String?] {
            try device.run("query", "note", "--sort", "place", "--json").objects()
                .map { $0["id"]?.string }
        }
        #expect(try device.run("move", "note/c", "--first").code == 0)
        #expect(try order() == ["c", "a", "b"])
        #expect(try device.run("move", "note/c", "--field", "place", "--after", "note/a").code == 0)
        #expect(try order() == ["a", "c", "b"])
        #expect(try device.run("move", "note/b", "--before", "note/a").code == 0)
        #expect(try device.run("move", "note/b", "--last").code == 0)
        #expect(try order() == ["a", "c", "b"])
        let lost = try device.run("move", "note/b", "--after", "note/nobody")
        #expect(lost.code != 0 && lost.error.contains("nobody"))
    }

    @Test func `a deleted record lies in the trash and comes back`() throws {
        let device = try Self.device()
        #expect(try device.run("set", "note/x", "title=Tea", "tags+=a").code == 0)
        #expect(try device.run("delete", "note/x").code == 0)
        let trash = try #require(try device.run("trash", "note", "--json").objects().first)
        #expect(trash["id"]?.string == "x")
        #expect(trash["deviceName"]?.string == "Laptop")
        #expect(trash["editedAfter"] == [])
        #expect(try device.run("trash").output.contains("by Laptop"))
        #expect(try device.run("undelete", "note/x").code == 0)
        #expect(try field("tags", device) == #"["a"]"#)
        #expect(try device.run("trash", "--json").output.isEmpty)
        let again = try device.run("undelete", "note/x")
        #expect(again.code == 1 && again.error.contains("not in the trash"))
    }

    @Test func `history shows losers and why names the rule`() throws {
        let device = try Self.device()
        for title in ["One", "Two", "Three"] {
            #expect(try device.run("set", "note/x", "title=\(title)").code == 0)
        }
        let history = try device.run("history", "note/x", "title", "--json").objects()
        #expect(history.map { $0["value"]?.string } == ["Three", "Two", "One"])
        #expect(history.map { $0["shows"] } == [true, false, false])
        let limited = try device.run("history", "note/x", "--limit", "1", "--json").objects()
        #expect(limited.count == 1)
        let why = try #require(try device.run("why", "note/x", "title", "--json").objects().first)
        #expect(why["value"]?.string == "Three")
        #expect(why["rule"]?.string?.isEmpty == false)
        #expect(try device.run("why", "note/x", "title").output.contains("Laptop has it"))
        #expect(try device.run("history", "note/nobody").code == 1)
    }

    @Test func `a query filters, sorts, pages and counts`() throws {
        let device = try Self.device()
        for (id, stock) in [("a", "3"), ("b", "1"), ("c", "2")] {
            #expect(
                try device.run("set", "note/\(id)", "title=T \(id)", "stock=\(stock)").code == 0)
        }
        func ids(_ words: String...) throws -> [String] {
            try device.run(["query", "note", "--json"] + words).objects()
                .compactMap { $0["id"]?.string }
        }
        #expect(try ids("--sort", "-stock") == ["a", "c", "b"])
        #expect(try ids("--sort", "stock", "--limit", "1", "--offset", "1") == ["c"])
        #expect(try ids("--where", "stock >= 2 and not title = 'T c'") == ["a"])
        #expect(try ids("--where", "(id = a or id = b) and tags is null") == ["a", "b"])
        let count = try device.run("query", "note", "--where", "stock < 3", "--count", "--json")
        #expect(count.output == "{\"count\":2}\n")
    }

    @Test func `the same intent writes once`() throws {
        let device = try Self.device()
        for repeated in [false, true] {
            let outcome = try device.run("set", "note/x", "stock+=5", "--intent", "i", "--json")
            #expect(try outcome.objects().first?["repeated"] == .bool(repeated))
        }
        #expect(try field("stock", device) == "5")
        #expect(try device.run("delete", "note/x", "--intent", "d").code == 0)
        #expect(try device.run("delete", "note/x", "--intent", "d").code == 0)
    }

    @Test func `a log's record is written once`() throws {
        let device = try Self.device()
        let words = ["entry/2025-03-31", "at=2025-03-31", "n=1"]
        #expect(try device.run(["insert"] + words).code == 0)
        #expect(try device.run(["set"] + words).code == 5)
        #expect(try device.run("set", "entry/2025-03-31", "n=2").error.contains("written once"))
        #expect(try device.run("delete", "entry/2025-03-31").code != 0)
    }
}
