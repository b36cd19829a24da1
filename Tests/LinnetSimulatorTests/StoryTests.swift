import Foundation
import Testing

@testable import LinnetSimulator

/// What is recorded of a run for a page, and that recording changes nothing.
struct StoryTests {
    @Test(arguments: ["canary", "model", "saboteur", "membership", "companion", "twins"])
    func `a run leaves the same hash with a story and without`(name: String) throws {
        let scenario = try #require(Scenario.named(name))
        let alone = scenario.run(seed: 2)
        let recorded = scenario.record(seed: 2)
        #expect(recorded.outcome.traceHash == alone.traceHash)
        #expect(recorded.outcome.events == alone.events)
        #expect(recorded.outcome.result == alone.result)
        #expect(recorded.items.count > 20)
    }

    @Test func `the canary's story ends with what broke, and shows what the disk lost`() throws {
        let story = try #require(Scenario.named("canary")).record(seed: 1)
        let told = try ToldStory(story)
        let verdict = try #require(told.members["verdict"] as? [String: Any])
        #expect(verdict["code"] as? String == "I5")
        #expect(verdict["sentence"] as? String == Invariant.acknowledgedWritesSurvive.sentence)
        let device = try #require((verdict["devices"] as? [Int])?.first)
        #expect((verdict["authors"] as? [Int])?.isEmpty == false)

        let last = try #require(told.items.last)
        #expect(last["kind"] as? String == "broken")
        #expect(last["device"] as? Int == device)
        let kinds = told.items.compactMap { $0["kind"] as? String }
        #expect(kinds.count { $0 == "broken" } == 1)
        let texts = told.items.compactMap { $0["text"] as? String }
        #expect(texts.contains { $0.contains("disks of this run lie") })
        #expect(texts.contains { $0.contains("Device \(device)'s disk: lost writes") })

        let starts = told.items.indices.filter { place in
            told.changes(of: told.items[place], "process") == [device]
        }
        let start = try #require(starts.last)
        let (before, after) = (told.fleet(before: start - 4), told.fleet(before: told.items.count))
        #expect(before.batches(on: device) > after.batches(on: device))
        for other in after.devices where other != device {
            #expect(before.batches(on: other) == after.batches(on: other))
        }
    }

    @Test func `the changes of a story lead to the state in which its devices end`() throws {
        let story = try #require(Scenario.named("model")).record(seed: 1)
        #expect(story.outcome.result == .ok)
        let told = try ToldStory(story)
        let fleet = told.fleet(before: told.items.count)
        #expect(fleet.devices.count == story.outcome.devices)
        let first = fleet.batches(on: 0)
        #expect(first > 0)
        for device in fleet.devices {
            #expect(fleet.batches(on: device) == first)
            #expect(fleet.processes[device] == "running")
        }
        // Each record that became visible is named with its collection, in the schema's words.
        let records = told.items.flatMap { $0["records"] as? [String] ?? [] }
        #expect(records.contains { $0.hasPrefix("notes/") && $0.contains(": ") })
        // Of some writes nothing comes, as on a device that is no member yet.
        let writes = told.items.filter { $0["kind"] as? String == "write" }
        let idle = writes.count { $0["idle"] != nil }
        #expect(idle > 0 && idle < writes.count / 2)
        for write in writes {
            let hasBatches = (write["batches"] as? Int ?? 0) > 0
            #expect(hasBatches == (write["idle"] == nil), "\(write)")
        }
        let times = told.items.compactMap { $0["time"] as? Int }
        #expect(times == times.sorted())
    }

    @Test func `a long story is bounded and its devices stand as in the whole one`() throws {
        let scenario = try #require(Scenario.named("model"))
        let bounds = StoryShelf.Bounds(beginning: 20, middle: 10, end: 30)
        let short = try ToldStory(scenario.record(seed: 1, bounds: bounds))
        let whole = try ToldStory(scenario.record(seed: 1))
        #expect(whole.items.count > 200)
        // Between two items of the middle there may be one for what was left out.
        #expect(short.items.count <= 71)
        let gaps = short.items.filter { $0["kind"] as? String == "gap" }
        #expect(!gaps.isEmpty)
        #expect((short.members["leftOut"] as? [String])?.isEmpty == false)
        #expect((whole.members["leftOut"] as? [String])?.isEmpty == true)
        let ends = [short, whole].map { $0.fleet(before: $0.items.count) }
        #expect(ends[0] == ends[1])
    }

    @Test func `markup and line separators in a story stay inert text`() throws {
        let hostile = "</script><script>alert(1)</script><!-- \u{2028}\u{2029}\u{0}\"\\"
        let notes = Collection(
            id: 2_000, name: "notes", scope: "notes",
            fields: [Field(id: 1, name: "text", type: .text)])
        let schema = try Schema(version: 1, collections: [notes])
        var scenario = Scenario(name: "hostile", sentence: hostile)
        scenario.days = 1...1
        scenario.store = .model
        scenario.faults = []
        scenario.workload = ApplicationWorkload(schema: schema) { _, app in
            app.set(notes, "note", ["text": .text("</script>\u{2028}")])
        }
        let json = scenario.record(seed: 1).json(program: hostile)
        #expect(!json.contains("<"))
        for separator: Unicode.Scalar in ["\u{2028}", "\u{2029}", "\u{0}"] {
            #expect(!json.unicodeScalars.contains(separator))
        }
        let members = try #require(
            JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(members["program"] as? String == hostile)
        #expect(members["sentence"] as? String == hostile)
        let items = try #require(members["items"] as? [[String: Any]])
        let texts = items.compactMap { $0["text"] as? String }
        #expect(texts.contains { $0.contains("</script>\u{2028}") })
    }

    @Test func `one item stays small, whatever it is told`() {
        var item = StoryItem(.note, 0, 0, String(repeating: "e\u{301}", count: 100_000))
        for number in 0..<1_000 {
            item.show("notes/r\(number)")
            item.add("sentence \(number)")
        }
        #expect(item.text.unicodeScalars.count == StoryItem.longest + 1)
        #expect(item.records.count == StoryItem.most)
        #expect(item.recordsLeftOut == 1_000 - StoryItem.most)
        #expect(item.also.count == StoryItem.most)
    }

    @Test func `a shrunken story says what was left out of its plan`() throws {
        let story = try #require(Scenario.named("canary")).minimise(seed: 1, runs: 20)
        let told = try ToldStory(story.recorded)
        let shrunk = try #require(told.members["shrunk"] as? [String: Int])
        #expect(shrunk["left"] == story.actionsLeft)
        #expect(shrunk["before"] == story.actionsBefore)
        #expect(story.actionsLeft < story.actionsBefore)
        #expect(told.items.last?["kind"] as? String == "broken")
    }

    @Test func `the command writes one page with its story and ends as the run does`() throws {
        let path = NSTemporaryDirectory() + "story-\(UUID().uuidString).html"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for words in [["--seed", "1", "--no-shrink"], ["--replay", "1"]] {
            let ended = try Simulator.run(["--scenario", "canary", "--html", path] + words)
            #expect(ended.code == 2)
            let page = try String(contentsOfFile: path, encoding: .utf8)
            #expect(page.hasPrefix("<!doctype html>"))
            #expect(page.contains("default-src 'none'; script-src 'sha256-"))
            for foreign in ["http://", "https://", "src=", "@import", "url(", "{{"] {
                let own = page.replacing("http://www.w3.org/2000/svg", with: "")
                #expect(!own.contains(foreign), "\(foreign)")
            }
            let parts = page.components(separatedBy: "<script")
            #expect(parts.count == 3)
            let data = try #require(parts[1].split(separator: ">", maxSplits: 1).last)
            let json = try #require(data.components(separatedBy: "</script>").first)
            let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
            #expect((object as? [String: Any])?["scenario"] as? String == "canary")
        }
        #expect(try Simulator.run(["--scenario", "calm", "--seed", "1", "--html", path]).code == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"kind\":\"ok\""))
    }
}
