import Linnet
import LinnetAPI
import LinnetCLI
import Testing

struct SchemaCommandTests {
    private func schema(_ version: Int, _ more: String = "") -> String {
        """
        {"version": \(version), "collections": [
         {"id": 2000, "name": "note", "scope": "notes", "fields": [
          {"id": 1, "name": "title", "type": "text"},
          {"id": 2, "name": "count", "type": "int"}\(more)]}]}
        """
    }

    private func device() throws -> TestDevice {
        let device = TestDevice()
        let file = try device.write("1.json", schema(1))
        #expect(
            try device.run("init", "--name", "A", "--kind", "other", "--schema", file).code == 0)
        return device
    }

    @Test func `a home keeps the collections of a file, and not in the clear`() throws {
        let device = try device()
        let shown = try #require(try device.run("schema", "show", "--json").objects().first)
        #expect(shown["version"]?.line == "1")
        #expect(try device.run("schema", "show").output.contains("note (2000): records"))
        #expect(try device.run("set", "note/x", "title=A").code == 0)
        #expect(try device.run("set", "medication/x", "name=A").error.contains("no collection"))
        for file in ["store.sqlite", "store.sqlite-wal"]
        where TestDevice.exists("\(device.home)/\(file)") {
            let bytes = try FileText.read("\(device.home)/\(file)")
            #expect(!String(decoding: bytes, as: UTF8.self).contains("\"note\""))
        }
    }

    @Test func `a home without a file has the built-in collections`() throws {
        let device = try TestDevice.founder()
        let shown = try device.run("schema", "show").output
        #expect(shown.contains("medication (1000)") && shown.contains("tags"))
    }

    @Test func `check tells mistakes with their line and what an upgrade would break`() throws {
        let device = try device()
        let bad = try device.write("bad.json", schema(2, ",\n{\"id\": 1, \"name\": \"x\"}"))
        let refused = try device.run("schema", "check", bad)
        #expect(refused.code == 1)
        #expect(refused.error.contains("bad.json, line 5, collections[0].fields[2].id"))
        let good = try device.write(
            "good.json", schema(2, #",{"id": 3, "name": "tags", "kind": "set", "type": "text"}"#))
        #expect(try device.run("schema", "check", good, "--against", "home").code == 0)
        let text = schema(2).replacing("\"int\"", with: "\"text\"")
        let broken = try device.write("broken.json", text)
        #expect(try device.run("schema", "check", broken).code == 0)
        let told = try device.run(
            "schema", "check", broken, "--against", "\(device.directory)/1.json")
        #expect(told.code == 1)
        #expect(told.error.contains("note.count: its type cannot change from int to text"))
        let set = try device.run("schema", "set", broken)
        #expect(set.code == 1 && set.error.contains("its type cannot change"))
    }

    @Test func `an upgrade fills new fields from the old ones, once`() throws {
        let device = try device()
        #expect(try device.run("set", "note/x", "title=A", "count=7").code == 0)
        let file = try device.write(
            "2.json",
            schema(
                2,
                """
                ,{"id": 3, "name": "stock", "kind": "tally", "type": "int", "copyFrom": 2},
                {"id": 4, "name": "names", "kind": "set", "type": "text", "copyFrom": 1}
                """))
        #expect(try device.run("schema", "set", file, "--json").objects().first?["copied"] == 2)
        #expect(try device.run("schema", "set", file, "--json").objects().first?["copied"] == 0)
        #expect(
            try device.run("get", "note/x", "--json").objects().first?["fields"]?.line
                == #"{"title":"A","count":7,"stock":7,"names":["A"]}"#)
        let older = try device.run("schema", "set", "\(device.directory)/1.json")
        #expect(older.code == 1 && older.error.contains("is missing"))
    }

    @Test func `devices that upgrade apart copy texts, remarks and places once`() throws {
        let (laptop, phone) = (try device(), TestDevice())
        let run = ["run", "--json", "--no-discovery", "--listen", "127.0.0.1:0"]
        var node = try laptop.follow(run)
        var peer = "127.0.0.1:\(try #require(try node.next("ready")["port"]?.line))"
        let offer = try laptop.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let file = try phone.write("1.json", schema(1))
        let joined = try phone.run(
            "join", "--name", "B", "--kind", "phone", "--code", code, "--peer", peer, "--schema",
            file)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        #expect(try laptop.run("set", "note/x", "title=drink 水").code == 0)
        #expect(try phone.run("sync", "--peer", peer).code == 0)
        #expect(node.end() == 0)
        let added = """
            ,{"id": 3, "name": "body", "kind": "text", "copyFrom": 1},
            {"id": 4, "name": "remark", "kind": "mv", "type": "text", "copyFrom": 1}
            """
        for device in [laptop, phone] {
            let file = try device.write("2.json", schema(2, added))
            #expect(try device.run("schema", "set", file, "--json").objects().first?["copied"] == 2)
        }
        #expect(try phone.run("edit", "note/x", "body", "--insert", "!").code == 0)
        node = try laptop.follow(run)
        peer = "127.0.0.1:\(try #require(try node.next("ready")["port"]?.line))"
        #expect(try phone.run("sync", "--peer", peer).code == 0)
        for device in [laptop, phone] {
            #expect(
                try device.run("get", "note/x", "--json").objects().first?["fields"]?.line
                    == #"{"title":"drink 水","body":"drink 水!","remark":"drink 水"}"#)
        }
        #expect(node.end() == 0)
    }

    @Test func `a home that a node has open is not upgraded, and changes in nothing`() throws {
        let device = try device()
        #expect(try device.run("set", "note/x", "title=A", "count=7").code == 0)
        let before = try state(device)
        let file = try device.write(
            "2.json", schema(2, #",{"id": 3, "name": "copy", "type": "int", "copyFrom": 2}"#))
        let node = try device.follow([
            "run", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
        ])
        _ = try node.next("ready")
        let refused = try device.run("schema", "set", file)
        #expect(refused.code == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("'linnet run' has this home open: stop it, upgrade"))
        #expect(try state(device) == before)
        #expect(try device.run("set", "note/x", "copy=1").error.contains("no field"))
        #expect(node.end() == 0)
        #expect(try state(device) == before)
        #expect(try device.run("schema", "set", file, "--json").objects().first?["copied"] == 1)
        #expect(try state(device) != before)
    }

    /// The schema of a home, its content and its digest.
    private func state(_ device: TestDevice) throws -> [String] {
        try [["schema", "show", "--json"], ["get", "note/x", "--json"], ["digest"]].map {
            try device.run($0).output
        }
    }

    /// A device that shows a code, with the address at which it is typed.
    private func offering(
        _ device: TestDevice
    ) throws -> (run: FollowedCommand, offer: FollowedCommand, code: String, peer: String) {
        let run = try device.follow([
            "run", "--json", "--no-discovery", "--listen", "127.0.0.1:0",
        ])
        let port = try #require(try run.next("ready")["port"]?.line)
        let offer = try device.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        return (run, offer, code, "127.0.0.1:\(port)")
    }

    @Test func `a device that joins without a file has the group's collections`() throws {
        let (laptop, phone) = (try device(), TestDevice())
        #expect(try laptop.run("set", "note/x", "title=A", "count=7").code == 0)
        let member = try offering(laptop)
        let joined = try phone.run(
            "join", "--name", "B", "--kind", "phone", "--code", member.code, "--peer", member.peer,
            "--json")
        #expect(joined.code == 0, "\(joined.error)")
        #expect(try joined.objects().last?["schemaVersion"]?.line == "1")
        #expect(member.offer.waitForEnd() == 0)
        #expect(
            try phone.run("schema", "show", "--json").output
                == laptop.run("schema", "show", "--json").output)
        #expect(try phone.run("set", "note/y", "title=B").code == 0)
        #expect(try phone.run("sync", "--peer", member.peer).code == 0)
        #expect(
            try phone.run("get", "note/x", "--json").objects().first?["fields"]?.line
                == #"{"title":"A","count":7}"#)
        #expect(try phone.run("set", "medication/x", "name=A").error.contains("no collection"))
        #expect(
            try phone.run("schema", "publish").output.contains("carries this home's schema already")
        )
        #expect(member.run.end() == 0)
    }

    @Test func `a home that waits for its group's schema says so and shows all when it comes`()
        async throws
    {
        let (laptop, phone) = (TestDevice(), TestDevice())
        let founder = try await Node.create(
            at: laptop.home, name: "A", kind: .laptop, founding: true, schemaFile: nil)
        await founder.stop()
        for words in [["get", "note/x"], ["list", "note"], ["schema", "show"], ["med", "list"]] {
            let outcome = try laptop.run(words)
            #expect(outcome.code == 1 && outcome.output.isEmpty, "\(words)")
            #expect(outcome.error.contains("waits for the group's schema"), "\(outcome.error)")
            #expect(outcome.error.contains("linnet sync"))
        }
        #expect(try laptop.run("status").output.contains("waiting: the group's schema"))
        #expect(try laptop.run("list", "devices").output.contains("A"))
        let member = try offering(laptop)
        let file = try phone.write("1.json", schema(1))
        let joined = try phone.run(
            "join", "--name", "B", "--kind", "phone", "--code", member.code, "--peer", member.peer,
            "--schema", file)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(try phone.run("set", "note/x", "title=A", "count=7").code == 0)
        #expect(try phone.run("sync", "--peer", member.peer).code == 0)
        let learned = try member.run.next("schema-learned")
        #expect(learned["version"]?.line == "1")
        for _ in 0..<2 {
            #expect(
                try laptop.run("get", "note/x", "--json").objects().first?["fields"]?.line
                    == #"{"title":"A","count":7}"#)
            _ = member.run.end()
        }
    }

    @Test func `a device joins a medication group without naming its collections`() throws {
        let (laptop, phone) = (try TestDevice.founder(), TestDevice())
        let member = try offering(laptop)
        let joined = try phone.run(
            "join", "--name", "B", "--kind", "phone", "--code", member.code, "--peer", member.peer)
        #expect(joined.code == 0 && joined.output.contains("medication"), "\(joined.error)")
        #expect(try phone.run("med", "list").code == 0)
        #expect(try phone.run("schema", "show").output == laptop.run("schema", "show").output)
        #expect(member.run.end() == 0)
    }

    @Test func `a file that contradicts the group's is told, and nothing is joined`() throws {
        let (laptop, phone) = (try device(), TestDevice())
        let wrong = try phone.write(
            "wrong.json", schema(1).replacing("\"int\"", with: "\"text\""))
        let member = try offering(laptop)
        let refused = try phone.run(
            "join", "--name", "B", "--kind", "phone", "--code", member.code, "--peer", member.peer,
            "--schema", wrong)
        #expect(refused.code == 1)
        #expect(refused.error.contains("note.count (2): int in the group, text here"))
        #expect(refused.error.contains("Join without --schema"))
        #expect(!TestDevice.exists(phone.home))
        #expect(member.offer.waitForEnd() == 1)
        #expect(member.offer.error.contains("contradicts the group's"))
        let status = try #require(try laptop.run("status", "--json").objects().first)
        guard case .array(let devices)? = status["devices"] else {
            Issue.record("no devices: \(status.line)")
            return
        }
        #expect(devices.count == 1)
        #expect(member.run.end() == 0)
    }

    @Test func `a collection and a field are retired, once and again, and not used anew`() throws {
        let device = try device()
        #expect(try device.run("set", "note/x", "title=A", "count=7").code == 0)
        let gone = #"{"version": 2, "collections": [], "retired": [2000]}"#
        let field = """
            {"version": 2, "collections": [{"id": 2000, "name": "note", "scope": "notes",
              "fields": [{"id": 1, "name": "title", "type": "text"}], "retired": [2]}]}
            """
        let first = try device.run("schema", "set", try device.write("2.json", field))
        #expect(first.code == 0 && first.output.contains("note.count is retired"), "\(first.error)")
        #expect(
            try device.run("get", "note/x", "--json").objects().first?["fields"]?.line
                == #"{"title":"A"}"#)
        let again = try device.run(
            "schema", "set",
            try device.write("3.json", field.replacing("\"version\": 2", with: "\"version\": 3")))
        #expect(again.code == 0, "\(again.error)")
        let back = try device.run("schema", "set", try device.write("4.json", schema(4)))
        #expect(back.code == 1 && back.error.contains("2 is retired"))
        let all = try device.write(
            "5.json", gone.replacing("\"version\": 2", with: "\"version\": 5"))
        #expect(try device.run("schema", "set", all).code == 0)
        #expect(try device.run("get", "note/x").error.contains("no collection"))
        #expect(try device.run("schema", "check", all, "--against", "home").code == 0)
        let both = try device.write(
            "6.json", schema(6).replacing("]}]}", with: "]}], \"retired\": [2000]}"))
        #expect(try device.run("schema", "check", both).error.contains("2000 is declared here"))
    }

    @Test(arguments: [
        (["schema"], "missing argument"), (["schema", "shwo"], "did you mean 'show'?"),
        (["schema", "check"], "missing argument FILE"),
        (["schema", "show", "--against", "home"], "belongs to 'schema check'"),
    ])
    func `wrong words are told`(words: [String], message: String) throws {
        let outcome = try TestDevice().run(words)
        #expect(outcome.code == 2 && outcome.error.contains(message))
    }
}
