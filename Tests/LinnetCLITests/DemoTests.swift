import Linnet
import LinnetCLI
import Testing

struct DemoTests {
    @Test func `a day of seven scenes keeps every claim and ends with equal digests`() throws {
        let outcome = try TestDevice().run("demo", "--json")
        #expect(outcome.code == 0, Comment(rawValue: outcome.error))
        let objects = try outcome.objects()
        let steps = objects.compactMap { $0["step"]?.string }
        #expect(steps.first == "find")
        #expect(steps.filter { $0 == "pair" }.count == 2)
        let claims = objects.filter { $0["claim"] != nil }
        let failed = claims.filter { $0["holds"] != true }.map(\.line)
        #expect(failed.isEmpty, Comment(rawValue: failed.joined(separator: "\n")))
        var scenes: [String] = []
        for scene in claims.compactMap({ $0["scene"]?.string }) where scenes.last != scene {
            scenes.append(scene)
        }
        #expect(
            scenes == [
                "companion-watch", "both-tap", "edit-apart", "widget", "travel", "delete-apart",
                "months-not-held",
            ])
        #expect(claims.allSatisfy { $0["evidence"] != nil && $0["evidence"] != .null })
        let last = try #require(objects.last)
        #expect(last["converged"] == true)
        guard case .array(let devices)? = last["devices"] else {
            Issue.record("no devices")
            return
        }
        #expect(devices.compactMap { $0["name"]?.string } == ["Phone", "Watch", "Laptop"])
        #expect(devices.allSatisfy { $0["digest"] == devices[0]["digest"] })
        #expect(devices[0]["digest"]?.string?.utf8.count == 64)
    }

    @Test func `one scene is played alone, the scenes are listed, and another one is refused`()
        throws
    {
        let device = TestDevice()
        let scene = try device.run("demo", "--json", "--scenario", "both-tap")
        #expect(scene.code == 0, Comment(rawValue: scene.error))
        let played = try scene.objects().compactMap { $0["scene"]?.string }
        #expect(!played.isEmpty && played.allSatisfy { $0 == "both-tap" })
        let list = try device.run("demo", "--json", "--list").objects()
        #expect(list.count == 7)
        let unknown = try device.run("demo", "--scenario", "nap")
        #expect(unknown.code == 2)
        #expect(unknown.error.contains("both-tap"))
    }
}
