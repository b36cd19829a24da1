import Foundation
import Linnet
import LinnetCLI
import Testing

struct DemoTests {
    @Test func `a day of ten scenes keeps every claim and ends with equal digests`() throws {
        let outcome = try TestDevice().run("demo", "--json")
        #expect(outcome.code == 0, Comment(rawValue: outcome.error))
        let objects = try outcome.objects()
        let steps = objects.compactMap { $0["step"]?.string }
        #expect(steps.first == "find")
        #expect(steps.filter { $0 == "pair" }.count == 5)
        let claims = objects.filter { $0["claim"] != nil }
        let failed = claims.filter { $0["holds"] != true }.map(\.line)
        #expect(failed.isEmpty, Comment(rawValue: failed.joined(separator: "\n")))
        var scenes: [String] = []
        for scene in claims.compactMap({ $0["scene"]?.string }) where scenes.last != scene {
            scenes.append(scene)
        }
        #expect(
            scenes == [
                "companion-watch", "both-tap", "dosage-changed", "undo-against-tap", "edit-apart",
                "widget", "travel", "delete-apart", "months-not-held", "lost-phone",
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

    @Test func `the commands that a kept demonstration prints work as they are printed`() throws {
        let device = TestDevice()
        let kept = try device.run("demo", "--keep", "--scenario", "both-tap")
        #expect(kept.code == 0, Comment(rawValue: kept.error))
        let lines = kept.output.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.contains("The devices go on running") })
        let calls = lines[start...].filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
        #expect(calls.count == 4)
        for call in calls {
            // What follows needs neither the directory nor the variables of the demonstration.
            let output = "\(device.directory)/typed.out"
            let process = try ChildProcess(
                ["/bin/sh", "-c", call], environment: [], output: output, error: "\(output).err")
            let outcome = device.finish(process, output)
            #expect(outcome.code == 0, "\(call): \(outcome.error)")
            if call.contains(" status ") { #expect(outcome.output.contains("this device")) }
        }
        let home = try #require(calls.first?.split(separator: " ").last)
        #expect(!TestDevice.exists(String(home)))
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
        #expect(list.count == 10)
        let unknown = try device.run("demo", "--scenario", "nap")
        #expect(unknown.code == 2)
        #expect(unknown.error.contains("both-tap"))
    }
}
