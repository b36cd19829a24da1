import Glibc
import Linnet
import LinnetCLI
import Testing

/// Two devices that write the same record apart and meet over loopback.
struct ConcurrentKindTests {
    /// Two paired devices with the collections of `KindCommandTests`.
    private struct Pair {
        let laptop: TestDevice
        let phone = TestDevice()

        init() throws {
            laptop = try KindCommandTests.device()
            let schema = try phone.write("schema.json", KindCommandTests.schema)
            let (command, peer) = try Self.run(laptop)
            let offer = try laptop.follow(["pair", "--json", "--yes", "--no-discovery"])
            let code = try #require(try offer.next()["code"]?.string)
            let joined = try phone.run(
                "join", "--name", "Phone", "--kind", "phone", "--code", code, "--peer", peer,
                "--schema", schema)
            #expect(joined.code == 0)
            #expect(offer.waitForEnd() == 0)
            #expect(command.end() == 0)
        }

        /// Both write while they cannot meet; then they meet.
        func apart(_ left: [[String]], _ right: [[String]]) throws {
            for words in left { #expect(try laptop.run(words).code == 0) }
            for words in right { #expect(try phone.run(words).code == 0) }
            try meet()
        }

        func meet() throws {
            let (command, peer) = try Self.run(laptop)
            #expect(try phone.run("sync", "--peer", peer).code == 0)
            #expect(command.end() == 0)
            #expect(
                try laptop.run("digest", "--json").objects().first?["digest"]
                    == phone.run("digest", "--json").objects().first?["digest"])
        }

        func fields(_ id: String = "x") throws -> JSON? {
            try phone.run("get", "note/\(id)", "--json").objects().first?["fields"]
        }

        private static func run(_ device: TestDevice) throws -> (FollowedCommand, String) {
            let command = try device.follow(
                ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"])
            let port = try #require(try command.next("ready")["port"]?.line)
            return (command, "127.0.0.1:\(port)")
        }
    }

    @Test func `an export names the records of a log that it leaves out`() throws {
        let pair = try Pair()
        try pair.apart(
            [["insert", "entry/2025-03-31", "n=1"]], [["insert", "entry/2025-03-31", "n=2"]])
        let file = "\(pair.phone.home).jsonl"
        let words = ["export", file, "--collection", "entry"]
        #expect(try pair.phone.run(words).output.contains("share the identifier 2025-03-31:"))
        let told = try pair.phone.run(words + ["--json"]).objects().first
        #expect(told?["collisions"] == .array([.text("2025-03-31")]))
        #expect(pair.phone.read(file).split(separator: "\n").count == 1)
    }

    @Test func `sets, tallies, texts and concurrent values keep what both devices wrote`() throws {
        let pair = try Pair()
        try pair.apart(
            [["set", "note/x", "title=Tea", "tags+=a", "stock=10", "body=Hello you", "mark=m"]], [])
        try pair.apart(
            [
                [
                    "set", "note/x", "tags+=b", "tags-=a", "stock-=1@monday", "stock+=5",
                    "mark=left",
                ],
                ["edit", "note/x", "body", "--insert", " there"],
            ],
            [
                ["set", "note/x", "tags+=a", "tags+=c", "stock-=1@monday", "mark=right"],
                ["edit", "note/x", "body", "--at", "0", "--insert", "Oh. "],
            ])
        let fields = try #require(try pair.fields())
        #expect(fields["tags"]?.line == #"["a","b","c"]"#)
        #expect(fields["stock"]?.line == "14")
        #expect(fields["body"]?.string == "Oh. Hello you there")
        guard case .array(let marks)? = fields["mark"] else {
            Issue.record("no conflict")
            return
        }
        #expect(marks.compactMap(\.string).sorted() == ["left", "right"])
        #expect(try pair.phone.run("get", "note/x").output.contains("(conflict:"))
        let shown = try pair.laptop.run("get", "note/x", "--json").objects().first
        #expect(shown?["conflicts"]?.line == #"["mark"]"#)
        try restores(pair.phone)
        #expect(try pair.laptop.run("set", "note/x", "mark=both").code == 0)
        try pair.meet()
        #expect(try pair.fields()?["mark"]?.string == "both")
    }

    /// Export and import elsewhere show the same, the concurrent values too.
    private func restores(_ device: TestDevice) throws {
        let digest = try device.run("digest", "--json").objects().first?["digest"]
        for form in ["jsonl", "csv"] {
            let file = "\(device.directory)/note.\(form)"
            #expect(try device.run("export", file, "--collection", "note").code == 0)
            let text = device.read(file)
            #expect(try device.run("export", file, "--collection", "note").code == 0)
            #expect(device.read(file) == text)
            let other = try KindCommandTests.device("Other")
            let imported = try other.run("import", file, "--collection", "note", "--json")
            #expect(try imported.objects().first?["created"] == 1)
            #expect(try other.run("digest", "--json").objects().first?["digest"] == digest)
            let again = try other.run("import", file, "--collection", "note", "--json")
            #expect(try again.objects().first?["unchanged"] == 1)
        }
    }

    @Test func `a delete is told of what was edited after it`() throws {
        let pair = try Pair()
        try pair.apart([["set", "note/x", "title=Tea", "stock=1"]], [])
        try pair.apart([["delete", "note/x"]], [["set", "note/x", "title=Coffee"]])
        let trash = try #require(try pair.phone.run("trash", "--json").objects().first)
        #expect(trash["editedAfter"]?.line == #"["title"]"#)
        #expect(trash["deviceName"]?.string == "Laptop")
        #expect(try pair.phone.run("undelete", "note/x").code == 0)
        try pair.meet()
        #expect(try pair.fields()?["title"]?.string == "Coffee")
    }
}
