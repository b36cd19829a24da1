import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// Indexes and pages, from the command line.
struct QueryCommandTests {
    private static func schema(_ index: (String) -> String) -> String {
        """
        {"version": 1, "collections": [
         {"id": 2000, "name": "item", "scope": "items", "fields": [
          {"id": 1, "name": "name", "type": "text"\(index("clear"))},
          {"id": 2, "name": "owner", "type": "text"\(index("blind"))},
          {"id": 3, "name": "note", "type": "text"}]}]}
        """
    }

    private static func device(indexed: Bool = true) throws -> TestDevice {
        let device = TestDevice()
        let file = try device.write(
            "schema.json", schema { indexed ? #", "index": "\#($0)""# : "" })
        let made = try device.run("init", "--name", "L", "--kind", "laptop", "--schema", file)
        precondition(made.code == 0, made.error)
        let lines = (1...7).map { number in
            #"{"id":"i\#(number)","name":"visible-plain-\#(number % 3)","#
                + #""owner":"hidden-owner-\#(number % 2)","note":"hidden-note-\#(number)"}"#
        }
        let rows = try device.write("rows.jsonl", lines.joined(separator: "\n"))
        let imported = try device.run("import", rows)
        precondition(imported.code == 0, imported.error)
        return device
    }

    private func ids(_ device: TestDevice, _ words: String...) throws -> [String] {
        try device.run(["query", "item", "--json"] + words).objects().compactMap {
            $0["id"]?.string
        }
    }

    private func plan(_ device: TestDevice, _ words: String...) throws -> String? {
        try device.run(["query", "item", "--explain", "--json"] + words).objects().first?.line
    }

    @Test func `queries say what they read`() throws {
        let device = try Self.device()
        #expect(
            try plan(device, "--where", "name = visible-plain-1")
                == #"{"plan":"index","field":"name","index":"clear","use":"exact"}"#)
        #expect(
            try plan(device, "--where", "owner = hidden-owner-1")
                == #"{"plan":"index","field":"owner","index":"blind","use":"exact"}"#)
        #expect(try plan(device, "--where", "note = x") == #"{"plan":"scan"}"#)
        #expect(
            try device.run("query", "item", "--explain", "--sort", "name", "--limit", "2").output
                == "uses the clear index of name to read in its order, until there are enough\n")
        #expect(try ids(device, "--where", "name = visible-plain-1") == ["i1", "i4", "i7"])
        #expect(try ids(device, "--where", "owner = hidden-owner-0") == ["i2", "i4", "i6"])
    }

    @Test func `pages follow one another`() throws {
        let device = try Self.device()
        var found: [String] = []
        var place: String?
        for _ in 0..<3 {
            var words = ["query", "item", "--json", "--sort", "-name", "--limit", "3"]
            if let place { words += ["--after", place] }
            let objects = try device.run(words).objects()
            found += objects.compactMap { $0["id"]?.string }
            place = objects.last?["next"]?.string
        }
        #expect(found == ["i2", "i5", "i1", "i4", "i7", "i3", "i6"] && place == nil)
        let people = try device.run("query", "item", "--limit", "1").output
        #expect(people.contains("more: --after "))
        let wrong = try device.run("query", "item", "--after", "x")
        #expect(wrong.code != 0 && wrong.error.contains("another query"))
    }

    @Test func `indexes come and go, and the file shows what was declared readable`() throws {
        let device = try Self.device(indexed: false)
        func shows(_ text: String) throws -> Bool {
            let bytes = try FileText.read("\(device.home)/store.sqlite")
            return bytes.firstRange(of: Array(text.utf8)) != nil
        }
        #expect(try !shows("visible-plain"))
        let indexed = try device.write("indexed.json", Self.schema { #", "index": "\#($0)""# })
        let check = try device.run("schema", "check", indexed, "--against", "home")
        #expect(check.code == 0)
        #expect(check.output.contains("will stand readable in the database file"))
        #expect(check.output.contains("which records have equal values"))
        #expect(try device.run("schema", "set", indexed).code == 0)
        #expect(try device.run("schema", "show").output.contains("text, blind index"))
        #expect(try plan(device, "--where", "name begins v")?.contains("range") == true)
        #expect(try ids(device, "--where", "name = visible-plain-0") == ["i3", "i6"])
        #expect(try shows("visible-plain") && !shows("hidden-owner") && !shows("hidden-note"))
        let plain = try device.write("plain.json", Self.schema { _ in "" })
        #expect(try device.run("schema", "set", plain).code == 0)
        #expect(try plan(device, "--where", "name begins v") == #"{"plan":"scan"}"#)
        #expect(try ids(device, "--where", "name = visible-plain-0") == ["i3", "i6"])
        #expect(try !shows("visible-plain"))
    }
}
