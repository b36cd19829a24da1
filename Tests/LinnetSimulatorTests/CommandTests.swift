import Foundation
import LinnetSimulator
import Testing

/// The built command: its words, its lines and its exit codes.
@Suite(.serialized)
struct CommandTests {
    /// A seed of the model that takes few events.
    private static let quick = "1"

    @Test(arguments: [
        (["--sed", "1"], "did you mean '--seed'?"),
        (["--seed", "x"], "--seed must be a number"),
        (["--seed", "1", "--scenario", "modle"], "did you mean 'model'?"),
        (["--seed"], "needs a value"),
        (["--seed", "1", "--swarm", "2"], "do not go together"),
        (["--list", "--jobs", "2"], "--jobs does not go with --list"),
        (["--replay", "1"], "needs --trace FILE or --html FILE"),
        (["--seed", "1", "--html", "-"], "--html needs the name of a file"),
        (["--seed", "1", "--html", "/nowhere/a.html"], "cannot write '/nowhere/a.html'"),
        (["--swarm", "1", "--html", "a.html"], "--html does not go with --swarm"),
        (["--swarm", "0"], "--swarm must be a number from 1"),
        (["--seed", "1", "--runs", "3"], "--runs goes with --minimise"),
        (["--seed", "1", "--store", "paper"], "--store must be sqlite or model, not 'paper'"),
        (["--seed", "1", "--days", "0"], "--days must be a number from 1"),
        (["--swarm", "1", "--days", "2"], "--days does not go with --swarm"),
        (["--regressions", "/nowhere"], "cannot read '/nowhere'"),
        (["1"], "unexpected argument '1'"),
        ([], "say what to do"),
    ])
    func `wrong usage is told and ends with 1`(words: [String], message: String) throws {
        let output = NSTemporaryDirectory() + "simulate-\(UUID().uuidString)"
        let process = try Simulator.start(words, output: output)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(try String(contentsOfFile: output + ".err", encoding: .utf8).contains(message))
    }

    @Test func `the list names every scenario, fault, invariant, checker and state once`() throws {
        let ended = try Simulator.run("--list", "--json")
        #expect(ended.code == 0)
        let names = try ended.objects().map { object in
            "\(object["kind"] ?? "") \(object["name"] ?? "")"
        }
        let expected =
            Scenario.all.map { "scenario \($0.name)" }
            + FaultKind.allCases.map { "fault \($0.rawValue)" }
            + Invariant.allCases.map { "invariant \($0.rawValue)" }
            + CheckerRegistry.names.map { "checker \($0.name)" }
            + ProtocolState.allCases.map { "state \($0.rawValue)" }
        #expect(names == expected)
        #expect(Set(names).count == names.count)
        #expect(try ended.objects().allSatisfy { ($0["sentence"] as? String)?.count ?? 0 > 8 })
        let text = try Simulator.run("--list").output
        #expect(Scenario.all.allSatisfy { text.contains("  \($0.name) ") })
    }

    @Test func `a seed runs over the store and for the days that are asked for`() throws {
        func run(_ store: String) throws -> [String: Any] {
            let ended = try Simulator.run(
                "--scenario", "household", "--seed", "1", "--days", "1", "--store", store,
                "--json")
            return try #require(try ended.objects().first)
        }
        let (model, database) = (try run("model"), try run("sqlite"))
        #expect(model["events"] as? Int == database["events"] as? Int)
        #expect(model["deviceYears"] as? Double ?? 1 < 0.004)
        #expect(model["traceHash"] as? String != database["traceHash"] as? String)
    }

    @Test func `a seed with a mailbox says what its store was asked`() throws {
        let ended = try Simulator.run(
            "--scenario", "mailbox-days", "--seed", "1", "--days", "1", "--json")
        let seed = try #require(try ended.objects().first)
        let traffic = try #require(seed["mailbox"] as? [String: Int])
        // Each round lists the four kinds.
        #expect(traffic["listings"] ?? 0 > 4 * 3 * 48)
        #expect(traffic["puts"] ?? 0 > 3)
        #expect(traffic["gets"] ?? 0 > traffic["puts"] ?? 0)
        #expect(traffic["bytesGot"] ?? 0 > traffic["bytesPut"] ?? 0)
        let model = try Simulator.run("--scenario", "model", "--seed", Self.quick, "--json")
        #expect(try model.objects().first?["mailbox"] == nil)
    }

    @Test func `a seed leaves the same hash in two processes and in this one`() throws {
        let first = try Simulator.run("--scenario", "model", "--seed", Self.quick, "--json")
        let second = try Simulator.run("--scenario", "model", "--seed", Self.quick, "--json")
        #expect(first.code == 0)
        #expect(first.output == second.output)
        let here = try #require(Scenario.named("model")).run(seed: 1)
        #expect(first.lines == [here.json])
        #expect(Scenario.named("model")?.run(seed: 1).traceHash == here.traceHash)
        let object = try #require(try first.objects().first)
        #expect(object["scenario"] as? String == "model")
        #expect(object["seed"] as? Int == 1)
        #expect((object["traceHash"] as? String)?.count == 16)
        #expect(object["events"] as? Int ?? 0 > 100)
        #expect(object["deviceYears"] as? Double ?? 0 > 0)
        #expect(object["result"] as? String == "ok")
        #expect(object["invariant"] is NSNull)
        #expect(first.error.contains("SQLite 3."))
        #expect(!first.error.contains("\u{1b}"))
    }

    @Test func `a swarm reports seeds in order and a summary`() throws {
        let ended = try Simulator.run(
            "--scenario", "model", "--swarm", "2", "--from", "1", "--jobs", "2", "--json")
        let objects = try ended.objects()
        #expect(ended.code == 0)
        #expect(objects.count == 3)
        #expect(objects.prefix(2).map { $0["seed"] as? Int } == [1, 2])
        let summary = try #require(objects.last?["summary"] as? [String: Any])
        #expect(summary["seeds"] as? Int == 2)
        #expect(summary["failures"] as? Int == 0)
        let events = objects.prefix(2).compactMap { $0["events"] as? Int }.reduce(0, +)
        #expect(summary["events"] as? Int == events)
        #expect((summary["faults"] as? [String: Int])?.count == FaultKind.allCases.count)
        let states = try #require(summary["states"] as? [String: Int])
        #expect(states["sessionOpened"] ?? 0 > 0)
    }

    @Test func `a replay is one JSON object for each event`() throws {
        let ended = try Simulator.run(
            "--scenario", "model", "--replay", Self.quick, "--trace", "-")
        #expect(ended.code == 0)
        let objects = try ended.objects()
        #expect(objects.count > 100)
        #expect(objects.allSatisfy { $0["milliseconds"] is Int && $0["kind"] is String })
        #expect(ended.error.contains("verdict     ok"))
    }

    @Test func `regressions are read with their comments and run`() throws {
        let path = NSTemporaryDirectory() + "regressions-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "# found\n\nmodel 1 # nothing\n".write(toFile: path, atomically: true, encoding: .utf8)
        let ended = try Simulator.run("--regressions", path, "--json", "--jobs", "1")
        #expect(ended.code == 0)
        #expect(try ended.objects().first?["seed"] as? Int == 1)
        try "model one\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try Simulator.run("--regressions", path).code == 1)
    }
}
