import Foundation
import Linnet
import LinnetSimulator
import Testing

@testable import Clinic

/// The clinic as a program, and what must hold of its data whatever happens to its devices.
@Suite(.timeLimit(.minutes(5)))
struct ClinicTests {
    private let folder: ScratchFolder
    private var home: String { "\(folder.path)/home" }

    init() throws { folder = try ScratchFolder() }

    /// Runs a command that must succeed; returns its lines.
    private func run(_ words: String...) throws -> [String] {
        let clinic = try ExampleProcess("Clinic", [home] + words)
        let code = try clinic.finish()
        #expect(code == 0, "\(words): \(clinic.said)")
        return clinic.said
    }

    @Test func `a name is found without its accents, and a number exactly`() throws {
        let id = try #require(try run("admit", "José Núñez", "4711").last)
        _ = try run("admit", "Straßer", "4712")
        #expect(try run("find", "nunez") == ["\(id)  José Núñez"])
        #expect(try run("find", "NÚÑ") == ["\(id)  José Núñez"])
        #expect(try run("number", "4711") == ["\(id)  José Núñez"])
        #expect(try run("number", "471") == ["nobody"])
    }

    @Test func `the national number stands nowhere in the files`() throws {
        _ = try run("admit", "Ada", "NUMBER-0815-4711")
        for file in try FileManager.default.contentsOfDirectory(atPath: home) {
            let path = "\(home)/\(file)"
            guard let bytes = FileManager.default.contents(atPath: path) else { continue }
            #expect(bytes.range(of: Data("0815-4711".utf8)) == nil, "\(file) shows the number")
        }
    }

    @Test func `a diagnosis keeps the words of its release`() throws {
        let id = try #require(try run("admit", "Ada", "1").last)
        _ = try run("visit", id, "headache")
        _ = try run("diagnose", id, "I10", "2025")
        _ = try run("diagnose", id, "I10")
        let file = try run("file", id)
        #expect(file.prefix(2) == ["Ada", "  headache"])
        #expect(
            Set(file.dropFirst(2)) == [
                "    I10 Essential hypertension (2025)", "    I10 Primary hypertension (2026)",
            ])
    }

    @Test func `a discarded file comes back as it was`() throws {
        let id = try #require(try run("admit", "Ada", "1").last)
        _ = try run("discard", id)
        #expect(try run("find", "ada") == ["nobody"])
        #expect(try run("trash") == [id])
        _ = try run("restore", id)
        #expect(try run("find", "ada") == ["\(id)  Ada"])
    }

    @Test func `an export is one object a line`() throws {
        let id = try #require(try run("admit", "Ada", "1").last)
        _ = try run("visit", id, "headache")
        _ = try run("diagnose", id, "J45")
        let lines = try run("export")
        let objects = try lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.count == 3)
        #expect(objects.first?["searched"] as? String == "ada")
        #expect((objects.last?["finding"] as? [String: String])?["title"] == "Asthma")
    }

    @Test(arguments: [
        (["diagnose", "nobody", "I10"], "a diagnosis belongs to a visit"),
        (["visit", "nobody", "x"], "there is no patient nobody"),
        (["diagnose", "nobody", "Z99"], "the catalogue of 2026 has no Z99"), (["fly"], "usage"),
    ])
    func `a mistake is named, and ends with a code`(words: [String], reason: String) throws {
        let clinic = try ExampleProcess("Clinic", [home] + words)
        #expect(try clinic.finish() == 1)
        #expect(clinic.said.contains { $0.contains(reason) }, "\(clinic.said)")
    }

    @Test func `on a fleet where everything goes wrong a diagnosis says what its release says`()
        throws
    {
        let (patients, encounters) = (Files.patients.collection, Files.encounters.collection)
        let diagnoses = Files.diagnoses.collection
        try simulate(schema: try Files.schema(), seeds: 1...4) { random, clinic in
            let patient = "patient-\(random.below(4))"
            switch random.below(5) {
            case 0:
                clinic.set(patients, patient, ["name": "Ada", "searched": "ada", "number": "1"])
            case 1: clinic.delete(patients, patient)
            case 2: clinic.restore(patients, patient)
            case 3:
                clinic.set(
                    encounters, "encounter-\(random.below(6))",
                    ["patient": .text(patient), "reason": "headache"])
            default:
                let release = random.below(2) == 0 ? "2025" : "2026"
                let title = Catalogue.releases[release]?["I10"] ?? ""
                clinic.insert(
                    diagnoses, "diagnosis-\(random.below(1 << 40))",
                    [
                        "encounter": [.text("encounter-\(random.below(6))")],
                        "finding": [.text("I10"), .text(title), .text(release)],
                    ])
            }
        } invariant: { replica in
            for (id, fields) in replica.records(diagnoses) {
                guard let parts = fields["finding"], parts.count == 3,
                    case .text(let release) = parts[2],
                    parts[1] == .text(Catalogue.releases[release]?["I10"] ?? "nothing")
                else { return "\(id) does not say what its release says: \(fields)" }
            }
            return nil
        }
    }
}

/// Whoever opens an example has read it in one sitting.
@Test(arguments: ["Clinic", "Notes", "SharedList"])
func `an example has fewer than 200 lines`(name: String) throws {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let folder = top.appending(path: "docs/examples/\(name)")
    var lines = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    #expect((1..<200).contains(lines))
}
