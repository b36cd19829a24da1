import Foundation
import LinnetFaces
import Testing

/// Compares what faces draw with what is recorded under Recorded/; docs/faces.md says how to
/// record anew.
struct RecordedFaceTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Recorded")
    private static let isRecording =
        ProcessInfo.processInfo.environment["LINNET_RECORD_FACES"] == "1"

    @Test(arguments: FaceCase.faces)
    func `a face reads as recorded`(_ face: FaceSize) throws {
        let sections = FaceCase.all.map { situation in
            (["== \(situation.name)"] + situation.text(face)).joined(separator: "\n")
        }
        let placeholder = TextFace(.placeholder(face.kind), face.family, at: FaceCase.noon)
        let text = (sections + [(["== placeholder"] + placeholder.lines).joined(separator: "\n")])
            .joined(separator: "\n\n")
        try compare(text + "\n", with: "\(face.testDescription).txt")
    }

    @Test(arguments: FaceCase.faces)
    func `a picture is drawn as recorded`(_ face: FaceSize) throws {
        try compare(FaceCase.usual.picture(face).svg, with: "\(face.testDescription).svg")
    }

    @Test func `a difference is told by line`() {
        let told = Difference.lines(of: "a\nb\nc\nd\n", and: "a\nx\nc\nd\ne\n")
        #expect(told == ["  2 - b", "  2 + x", "  5 + e"])
        #expect(Difference.lines(of: "a\n", and: "a\n").isEmpty)
    }

    @Test func `every recording belongs to a face`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let faces = FaceCase.faces.map(\.testDescription)
        #expect(Set(names) == Set(faces.flatMap { ["\($0).txt", "\($0).svg"] }))
    }

    private func compare(_ drawn: String, with name: String) throws {
        let url = Self.folder.appendingPathComponent(name)
        if Self.isRecording {
            try Data(drawn.utf8).write(to: url, options: .atomic)
            Issue.record("recorded \(name); look at it, then run again without recording")
            return
        }
        let recorded = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        let difference = Difference.lines(of: recorded, and: drawn)
        #expect(
            difference.isEmpty,
            """
            \(name) differs from what is recorded; LINNET_RECORD_FACES=1 records anew
            \(difference.joined(separator: "\n"))
            """)
    }
}

/// What distinguishes two texts, line by line.
enum Difference {
    static func lines(of old: String, and new: String) -> [String] {
        let before = old.split(separator: "\n", omittingEmptySubsequences: false)
        let after = new.split(separator: "\n", omittingEmptySubsequences: false)
        var told: [(Int, Int, String)] = []
        for change in after.difference(from: before) {
            switch change {
            case .remove(let line, let text, _): told.append((line, 0, "  \(line + 1) - \(text)"))
            case .insert(let line, let text, _): told.append((line, 1, "  \(line + 1) + \(text)"))
            }
        }
        return told.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
