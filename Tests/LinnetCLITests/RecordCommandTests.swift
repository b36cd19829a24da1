import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

struct RecordCommandTests {
    @Test func `init makes a device, once`() throws {
        let device = TestDevice()
        let outcome = try device.run("init", "--name", "Küche", "--kind", "other", "--json")
        #expect(outcome.code == 0)
        let object = try #require(try outcome.objects().first)
        #expect(object["name"]?.string == "Küche")
        #expect(object["device"]?.string?.count == 64)
        guard case .array(let words)? = object["fingerprint"] else {
            Issue.record("no fingerprint")
            return
        }
        #expect(words.count >= 4)
        let again = try device.run("init", "--name", "B", "--kind", "other")
        #expect(again.code == 1)
        #expect(again.error.contains("exists already"))
    }

    @Test func `init refuses a directory that others may enter`() throws {
        let device = TestDevice()
        unsafe mkdir(device.home, 0o700)
        unsafe chmod(device.home, 0o755)
        let outcome = try device.run("init", "--name", "B", "--kind", "other")
        #expect(outcome.code == 1)
        #expect(outcome.error.contains("chmod 700"))
    }

    @Test func `a record is written, read, listed and deleted`() throws {
        let device = try TestDevice.founder()
        let written = try device.run(
            "set", "medication/a/b c", "name=A=B", "isActive=true", "--json")
        #expect(written.code == 0)
        let receipt = try #require(try written.objects().first)
        #expect(receipt["id"]?.string == "a/b c")
        #expect(receipt["operations"]?.line == "2")
        #expect(receipt["commit"]?.string?.count == 32)
        let got = try device.run("get", "medication/a/b c", "--json")
        #expect(
            got.output == #"{"collection":"medication","id":"a/b c","fields":{"name":"A=B","#
                + #""isActive":true}}"# + "\n")
        #expect(try device.run("list", "medication", "--json").output == got.output)
        #expect(try device.run("get", "medication/a/b c").output.contains("name = A=B"))
        let deleted = try device.run("delete", "medication/a/b c", "--json")
        #expect(deleted.code == 0)
        #expect(try deleted.objects().first?["operations"]?.line == "1")
        for words in [["get", "medication/a/b c"], ["delete", "medication/a/b c"]] {
            let gone = try device.run(words)
            #expect(gone.code == 1)
            #expect(gone.error.contains("there is no medication/a/b c"))
        }
        #expect(try device.run("list", "medication", "--json").output.isEmpty)
    }

    @Test func `giving one half of the dosage keeps the other`() throws {
        let device = try TestDevice.founder()
        func dosage() throws -> String? {
            try device.run("get", "medication/m", "--json").objects().first?["fields"]?["dosage"]?
                .line
        }
        #expect(try device.run("set", "medication/m", "amount=2.50", "unit=mg").code == 0)
        #expect(try dosage() == #"{"amount":2.5,"unit":"mg"}"#)
        #expect(try device.run("set", "medication/m", "unit=g").code == 0)
        #expect(try dosage() == #"{"amount":2.5,"unit":"g"}"#)
        #expect(try device.run("set", "medication/m", "amount=0.1").code == 0)
        #expect(try dosage() == #"{"amount":0.1,"unit":"g"}"#)
        #expect(try device.run("set", "medication/m", "amount=").code == 0)
        #expect(try dosage() == #"{"unit":"g"}"#)
    }

    @Test func `a new name is this device's own record`() throws {
        let device = try TestDevice.founder("Old")
        #expect(try device.run("rename", "New", "--json").output == "{\"name\":\"New\"}\n")
        let list = try device.run("list", "devices", "--json").objects()
        #expect(list.map { $0["fields"]?.line } == [#"{"name":"New","kind":"laptop"}"#])
        let status = try device.run("status", "--json").objects().first
        #expect(status?["running"] == false)
        #expect(status?["devices"]?.line.contains(#""name":"New""#) == true)
    }

    @Test func `the digest follows what is visible, not how it came`() throws {
        let device = try TestDevice.founder()
        func digest() throws -> JSON? { try device.run("digest", "--json").objects().first }
        let before = try #require(try digest())
        #expect(before["digest"]?.string?.count == 64)
        #expect(try digest() == before)
        #expect(try device.run("set", "medication/m", "name=A").code == 0)
        let after = try #require(try digest())
        #expect(after["digest"] != before["digest"])
        guard case .array(let vector)? = after["vector"], let entry = vector.last else {
            Issue.record("no vector")
            return
        }
        for (name, length) in [("scope", 32), ("device", 64), ("incarnation", 16), ("head", 64)] {
            #expect(entry[name]?.string?.count == length)
        }
    }

    @Test func `names from elsewhere cannot steer the terminal`() throws {
        let device = try TestDevice.founder()
        let file = try device.write(
            "x.jsonl", #"{"id":"x","name":"a\u001b[2Jb\u202e"}"# + "\n")
        #expect(try device.run("import", file).code == 0)
        for words in [["get", "medication/x"], ["list", "medication"]] {
            for words in [words, words + ["--json"]] {
                let output = try device.run(words).output
                #expect(!output.unicodeScalars.contains("\u{1b}"))
                #expect(!output.unicodeScalars.contains("\u{202e}"))
            }
        }
    }

    @Test func `a damaged copy of the key is healed and two are refused`() throws {
        let device = try TestDevice.founder()
        let key = "\(device.home)/key"
        let good = try FileText.read(key)
        truncate(key, 100)
        #expect(try device.run("doctor").output.contains("the copy 'key' is missing or damaged"))
        #expect(try device.run("list", "medication").code == 0)
        #expect(try FileText.read(key) == good)
        truncate(key, 100)
        truncate("\(key).bak", 100)
        let refused = try device.run("list", "medication")
        #expect(refused.code == 1)
        #expect(refused.error.contains("damaged"))
        #expect(try device.run("doctor").code == 1)
    }

    private func truncate(_ path: String, _ count: Int) {
        unsafe #expect(Glibc.truncate(path, count) == 0)
    }
}
