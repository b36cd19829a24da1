import Linnet
import LinnetCLI
import Testing

/// `linnet run` that is given the address of the device itself.
@Suite(.timeLimit(.minutes(15)))
struct OwnAddressTests {
    @Test func `a node that is given its own address says so once and stays who it is`() throws {
        let device = try TestDevice.founder()
        let run = ["run", "--json", "--no-discovery", "--listen"]
        let first = try device.follow(run + ["127.0.0.1:0"])
        let port = try #require(try first.next("ready")["port"]?.line)
        #expect(first.end() == 0)
        let address = "127.0.0.1:\(port)"
        let own = try device.follow(run + [address, "--peer", address])
        var seen: [String: JSON] = [:]
        while seen["ready"] == nil || seen["warning"] == nil {
            let event = try own.next()
            if let name = event["event"]?.string { seen[name] = event }
        }
        #expect(seen["warning"]?["warning"] == .text("reachedItself"))
        let text = seen["warning"]?["text"]?.string ?? ""
        #expect(text.contains("\(address) is the address of this device itself"), "\(text)")
        #expect(try device.run("set", "medication/a", "name=A").code == 0)
        let status = try #require(try device.run("status", "--json").objects().first)
        let warnings = status["warnings"]?.line ?? ""
        #expect(warnings.contains("reachedItself") && !warnings.contains("newAuthor"))
        guard case .array(let devices)? = status["devices"] else {
            Issue.record("no devices: \(status.line)")
            return
        }
        #expect(devices.count == 1)
        #expect(own.end() == 0)
        // No second warning followed, and nobody was met.
        var later: [String] = []
        while let event = try? own.next()["event"]?.string { later.append(event) }
        #expect(!later.contains("warning") && !later.contains("connected"), "\(later)")
        let vector = try #require(try device.run("digest", "--json").objects().first)
        guard case .array(let chains)? = vector["vector"] else {
            Issue.record("no vector: \(vector.line)")
            return
        }
        // One life of one device.
        #expect(Set(chains.compactMap { $0["incarnation"]?.string }).count == 1)
    }
}
