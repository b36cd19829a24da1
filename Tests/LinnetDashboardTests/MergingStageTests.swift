import Foundation
import Linnet
import LinnetAPI
import LinnetControl
import Testing

@testable import LinnetCLI

/// Two devices on a page: their link is cut, both change a record, and they are joined again.
@Suite(.timeLimit(.minutes(5)))
final class MergingStageTests {
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "linnet-stage-\(UUID().uuidString)")

    deinit {
        do { try FileManager.default.removeItem(at: directory) } catch { Issue.record(error) }
    }

    private func stage() async throws -> MergingStage {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        return try await MergingStage.open(in: directory.path)
    }

    private func ask(
        _ verb: String, _ stage: MergingStage, _ side: Int, _ more: [JSON.Member] = []
    ) async throws -> JSON {
        let members = JSON.object(
            [
                JSON.Member("collection", .text(MergingStage.place.collection)),
                JSON.Member("record", .text(MergingStage.place.record)),
            ] + more)
        return try await stage.carryOut(verb, members, on: side)
    }

    private func write(_ fields: JSON, _ stage: MergingStage, _ side: Int) async throws {
        _ = try await ask("write", stage, side, [JSON.Member("fields", fields)])
    }

    private func fields(_ stage: MergingStage, _ side: Int) async throws -> JSON? {
        try await ask("get", stage, side)["record"]?["fields"]
    }

    @Test func `both show the same, apart each shows its own, and joined every field merges`()
        async throws
    {
        let stage = try await stage()
        #expect(try await fields(stage, 0) == fields(stage, 1))
        try await stage.cut()
        #expect(try await stage.json()["linked"] == false)
        try await write(
            ["stock": ["add": -1], "tags": ["add": ["morning"]], "prescriber": "B"], stage, 0)
        try await write(
            ["stock": ["add": -2], "tags": ["add": ["evening"]], "prescriber": "C"], stage, 1)
        #expect(try await fields(stage, 0)?["stock"] == 29)
        #expect(try await fields(stage, 1)?["stock"] == 28)
        let apart = try await stage.json()
        #expect(try digests(apart)[0] != digests(apart)[1])
        try await stage.join()
        let merged = try #require(try await fields(stage, 0))
        #expect(try await fields(stage, 1) == merged)
        #expect(merged["stock"] == 27)
        guard case .array(let tags)? = merged["tags"] else {
            Issue.record("no tags: \(merged.line)")
            return
        }
        #expect(Set(tags.compactMap(\.string)) == ["diabetes", "evening", "morning"])
        guard case .array(let both)? = merged["prescriber"] else {
            Issue.record("one value took the place of the other: \(merged.line)")
            return
        }
        #expect(Set(both.compactMap(\.string)) == ["B", "C"])
        let joined = try await stage.json()
        #expect(try digests(joined)[0] == digests(joined)[1])
        #expect(joined["before"]?.line.contains("\"stock\":\"30\"") == true)
        await stage.close()
    }

    @Test func `nothing passes while the link is cut, and it can be cut again`() async throws {
        let stage = try await stage()
        for round in 0..<3 {
            try await stage.cut()
            try await stage.cut()
            try await write(["name": .text("N\(round)")], stage, 0)
            #expect(try await fields(stage, 1)?["name"] != .text("N\(round)"))
            try await stage.join()
            try await stage.join()
            #expect(try await fields(stage, 1)?["name"] == .text("N\(round)"))
        }
        await stage.close()
    }

    private func digests(_ json: JSON) throws -> [String] {
        guard case .array(let devices)? = json["devices"] else { return [] }
        return devices.compactMap { $0["digest"]?.string }
    }
}
