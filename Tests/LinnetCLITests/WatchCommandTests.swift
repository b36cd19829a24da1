import Linnet
import LinnetCLI
import Testing

struct WatchCommandTests {
    @Test func `a record is watched without a node, and through nodes that come and go`() throws {
        let device = try KindCommandTests.device()
        #expect(try device.run("set", "note/x", "title=one").code == 0)
        let watch = try device.follow(["watch", "note/x", "--json"])
        func title() throws -> String? { try watch.next("record")["fields"]?["title"]?.string }
        #expect(try title() == "one")
        #expect(try device.run("set", "note/x", "title=two").code == 0)
        #expect(try title() == "two")
        for round in 0..<2 {
            let node = try device.follow(
                ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"])
            _ = try node.next("ready")
            #expect(try device.run("set", "note/x", "title=node \(round)").code == 0)
            #expect(try title() == "node \(round)")
            _ = node.end()
        }
        #expect(try device.run("delete", "note/x").code == 0)
        #expect(try watch.next("gone")["id"]?.string == "x")
        _ = watch.end()
    }
}
