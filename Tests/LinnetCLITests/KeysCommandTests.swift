import Linnet
import LinnetCLI
import Testing

/// The words by which two people compare keys, on processes.
@Suite(.timeLimit(.minutes(15)))
struct KeysCommandTests {
    @Test func `both devices show the same words for each, and say whose words are read aloud`()
        throws
    {
        let laptop = try TestDevice.founder()
        let node = try laptop.follow(["run", "--json", "--no-discovery", "--listen", "127.0.0.1:0"])
        let port = try #require(try node.next("ready")["port"]?.line)
        let offer = try laptop.follow(["pair", "--json", "--yes", "--no-discovery"])
        let code = try #require(try offer.next()["code"]?.string)
        let phone = TestDevice()
        let joined = try phone.run(
            "join", "--name", "Phone", "--kind", "phone", "--code", code, "--peer",
            "127.0.0.1:\(port)")
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        #expect(try phone.run("sync", "--peer", "127.0.0.1:\(port)").code == 0)

        // The name in front differs: each calls itself this device.
        func words(_ device: TestDevice) throws -> [String: String] {
            var found: [String: String] = [:]
            for line in try device.run("keys").output.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                let name = try #require(parts.first?.split(separator: " ").first)
                found[String(name)] = parts.last?.split(separator: " ").joined(separator: " ")
            }
            return found
        }
        let (here, there) = (try words(laptop), try words(phone))
        #expect(here == there && here.count == 2)
        let phoneWords = try #require(here["Phone"])
        #expect(phoneWords.split(separator: " ").count == 6)

        let same = try laptop.run("keys", "--compare", phoneWords.uppercased())
        #expect(same.code == 0 && same.output.contains("the words of Phone"), "\(same)")
        let own = try phone.run(
            "keys", "--compare", phoneWords.split(separator: " ").joined(separator: ","))
        #expect(own.output.contains("Phone (this device)"))
        let turned = phoneWords.split(separator: " ").reversed().joined(separator: " ")
        let other = try laptop.run("keys", "--compare", turned)
        #expect(other.code == 1 && other.error.contains("does not know"), "\(other)")
        let drawing = try phone.run("keys", "--qr")
        #expect(drawing.code == 0 && (drawing.error + drawing.output).contains("▄"))
        #expect(node.end() == 0)
    }

    @Test func `a device without a group has nobody to compare with`() throws {
        let watch = TestDevice()
        let outcome = try watch.run("keys")
        #expect(outcome.code != 0 && !outcome.error.isEmpty)
    }
}
