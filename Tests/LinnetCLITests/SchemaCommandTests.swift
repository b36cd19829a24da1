import Linnet
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
