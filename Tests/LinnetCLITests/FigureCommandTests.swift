import Linnet
import LinnetAPI
import LinnetCLI
import LinnetControl
import LinnetReplication
import Testing

/// Figures, searches by words and edits by code units, from the command line and by verbs.
struct FigureCommandTests {
    private static func device() throws -> TestDevice {
        let device = TestDevice()
        let schema = """
            {"version": 1, "collections": [
             {"id": 2000, "name": "item", "scope": "items", "fields": [
              {"id": 1, "name": "name", "type": "text"},
              {"id": 2, "name": "unit", "type": "text"},
              {"id": 3, "name": "amount", "type": "decimal", "index": "clear"},
              {"id": 4, "name": "note", "kind": "text"}]}]}
            """
        let file = try device.write("schema.json", schema)
        let made = try device.run("init", "--name", "L", "--kind", "laptop", "--schema", file)
        precondition(made.code == 0, made.error)
        for (id, name, unit, amount) in [
            ("a", "José Núñez", "mg", "0.1"), ("b", "Nuñ Jo", "mg", "0.2"),
            ("c", "Ada", "ml", "10"),
        ] {
            let set = try device.run(
                "set", "item/\(id)", "name=\(name)", "unit=\(unit)", "amount=\(amount)")
            precondition(set.code == 0, set.error)
        }
        return device
    }

    @Test func `figures are lines, one for each group`() throws {
        let device = try Self.device()
        #expect(
            try device.run("query", "item", "--sum", "amount", "--count").output
                == "count 3, sum amount 10.3\n")
        #expect(
            try device.run("query", "item", "--group", "unit", "--sum", "amount").output
                == "unit mg: sum amount 0.3\nunit ml: sum amount 10\n")
        #expect(
            try device.run("query", "item", "--group", "unit").output
                == "unit mg: count 2\nunit ml: count 1\n")
        #expect(
            try device.run("query", "item", "--average", "amount").output
                == "average amount ≈ 3.43333333333333333\n")
        #expect(
            try device.run("query", "item", "--max", "amount", "--json").output
                == #"{"by":{},"figures":[{"figure":"max","field":"amount","value":10,"#
                + #""exact":true}]}"# + "\n")
        #expect(
            try device.run("query", "item", "--max", "amount", "--explain").output
                == "uses the clear index of amount to read in its order, until there are enough\n")
    }

    @Test func `what cannot be added up is told`() throws {
        let device = try Self.device()
        let text = try device.run("query", "item", "--sum", "name")
        #expect(text.code == 2 && text.error.contains("it does not hold numbers"))
        let unknown = try device.run("query", "item", "--sum", "amuont")
        #expect(unknown.code == 2 && unknown.error.contains("did you mean 'amount'?"))
        let sorted = try device.run("query", "item", "--sum", "amount", "--limit", "1")
        #expect(sorted.code == 2 && sorted.error.contains("leave --limit out"))
    }

    @Test func `words are found without case and accents`() throws {
        let device = try Self.device()
        func found(_ words: String) throws -> [String] {
            let condition = "name matches '\(words)'"
            return try device.run("query", "item", "--json", "--where", condition).objects()
                .compactMap { $0["id"]?.string }
        }
        #expect(try found("nunez") == ["a"])
        #expect(try found("JO nu") == ["a", "b"])
        #expect(try found("unez") == [])
    }

    @Test func `an edit counts in the unit that is asked for`() throws {
        let device = try Self.device()
        for words in [
            ["--insert", "😀é"], ["--at", "2", "--unit", "utf16", "--insert", "x"],
            ["--unit", "scalars", "--insert", "!"],
        ] {
            #expect(try device.run(["edit", "item/a", "note"] + words).code == 0)
        }
        let record = try device.run("get", "item/a", "--json").objects().first
        #expect(record?["fields"]?["note"]?.string == "😀xé!")
        let torn = try device.run(
            "edit", "item/a", "note", "--at", "1", "--unit", "utf16", "--insert", "x")
        #expect(torn.code == 2 && torn.error.contains("between two code units"))
        let wrong = try device.run(
            "edit", "item/a", "note", "--at", "1", "--unit", "bytes", "--insert", "x")
        #expect(wrong.code == 2 && wrong.error.contains("characters, scalars, utf16"))
    }
}
