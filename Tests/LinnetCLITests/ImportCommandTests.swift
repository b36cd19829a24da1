import Linnet
import LinnetCLI
import Testing

struct ImportCommandTests {
    private static let sample =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        + "/docs/samples/household.csv"

    @Test func `the sample is imported as one commit, and a second time nothing happens`() throws {
        let device = try TestDevice.founder()
        let first = try #require(
            try device.run("import", Self.sample, "--json").objects().first)
        #expect(first["created"]?.line == "12")
        #expect(first["batches"]?.line == "1")
        let digest = try device.run("digest").output
        let second = try #require(
            try device.run("import", Self.sample, "--json").objects().first)
        #expect(second["unchanged"]?.line == "12")
        #expect(second["commit"] == .null)
        #expect(try device.run("digest").output == digest)
    }

    @Test(arguments: ["out.csv", "out.jsonl"])
    func `what is exported is imported elsewhere as it was`(name: String) throws {
        let device = try TestDevice.founder()
        #expect(try device.run("import", Self.sample).code == 0)
        #expect(
            try device.run("set", "medication/odd", "name=a,\"b\"\nc", "amount=0.05").code == 0)
        let path = "\(device.directory)/\(name)"
        let exported = try device.run("export", path, "--json")
        #expect(try exported.objects().first?["records"]?.line == "13")
        let other = try TestDevice.founder()
        #expect(try other.run("import", path).code == 0)
        #expect(
            try other.run("list", "medication", "--json").output
                == device.run("list", "medication", "--json").output)
        let again = try #require(try device.run("import", path, "--json").objects().first)
        #expect(again["unchanged"]?.line == "13")
    }

    @Test func `lines without ids are imported twice without a change`() throws {
        let device = try TestDevice.founder()
        let file = try device.write("x.csv", "name,amount\nA,1\nB,2\nA,1\n")
        #expect(try device.run("import", file, "--json").objects().first?["created"]?.line == "2")
        let again = try device.run("import", file, "--json").objects().first
        #expect(again?["created"]?.line == "0")
        #expect(again?["changed"]?.line == "0")
    }

    @Test func `one bad line is named and nothing is imported`() throws {
        let device = try TestDevice.founder()
        let digest = try device.run("digest").output
        let good = (1...500).map { "id-\($0),Medicine \($0),\($0),mg\n" }.joined()
        let file = try device.write("x.csv", "id,name,amount,unit\n\(good)bad,B,much,mg\n")
        let outcome = try device.run("import", file, "--json")
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("line 502, column 3: amount must be a decimal number"))
        #expect(outcome.error.contains("Nothing was imported"))
        #expect(try device.run("digest").output == digest)
    }

    @Test func `files that are not there or cannot be written are said to be so`() throws {
        let device = try TestDevice.founder()
        let missing = try device.run("import", "\(device.directory)/none.csv")
        #expect(missing.code == 1)
        #expect(missing.error.contains("cannot read"))
        let nowhere = try device.run("export", "\(device.directory)/none/out.csv")
        #expect(nowhere.code == 1)
        #expect(nowhere.error.contains("cannot write"))
        #expect(try device.run("import", device.directory + "/x.csv/").code == 2)
    }

    @Test func `ten thousand lines are one commit`() throws {
        let device = try TestDevice.founder()
        let lines = (1...10_000).map { "Medicine \($0),\($0),mg,tablet\n" }.joined()
        let file = try device.write("x.csv", "name,amount,unit,form\n\(lines)")
        let result = try #require(try device.run("import", file, "--json").objects().first)
        #expect(result["created"]?.line == "10000")
        #expect(result["operations"]?.line == "30000")
        #expect(result["commit"]?.string?.count == 32)
        let list = try device.run("list", "medication", "--json").output
        #expect(list.utf8.count { $0 == 0x0a } == 10_000)
    }
}
