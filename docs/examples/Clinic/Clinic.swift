import Foundation
import Linnet

/// The files of a small clinic, one command at a time.
@main
struct Clinic {
    static let usage = """
        usage: clinic HOME admit NAME NUMBER | find NAME | number NUMBER | visit PATIENT REASON
               | diagnose PATIENT CODE [RELEASE] | file PATIENT | discard PATIENT | trash
               | restore PATIENT | export
        """
    let node: Node

    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            guard words.count >= 2 else { throw Mistake(usage) }
            let device = NewDevice.founding(
                name: "Clinic", kind: .laptop, schema: try Files.schema())
            let clinic = Clinic(node: try await .open(at: words[0], orCreating: device))
            try await clinic.carryOut(words[1], Array(words.dropFirst(2)))
            await clinic.node.stop()
        } catch {
            FileHandle.standardError.write(Data("clinic: \(error)\n".utf8))
            exit(1)
        }
    }

    private func carryOut(_ verb: String, _ words: [String]) async throws {
        switch (verb, words.count) {
        case ("admit", 2): try await admit(words[0], number: words[1])
        case ("find", 1):
            try await list(Files.patients[\.searched].contains(.text(searched(words[0]))))
        case ("number", 1): try await list(Files.patients[\.number] == .text(words[0]))
        case ("visit", 2): try await visit(words[0], words[1])
        case ("diagnose", 2...3):
            try await diagnose(words[0], words[1], words.count == 3 ? words[2] : "2026")
        case ("file", 1): try await show(words[0])
        case ("discard", 1): try await node.delete("patient", patient(words[0]).id)
        case ("trash", 0):
            for gone in try await node.trash("patient") { print(gone.record.id) }
        case ("restore", 1): try await node.restore("patient", words[0])
        case ("export", 0): try await export()
        default: throw Mistake(Self.usage)
        }
    }

    /// The identifier follows from the number: two desks that admit one person write one file.
    private func admit(_ name: String, number: String) async throws {
        let id = RecordID(naturalKey: "patient", number).description
        try await node.save(
            Patient(id: id, name: name, searched: searched(name), number: number),
            in: Files.patients)
        print(id)
    }

    private func list(_ condition: Condition) async throws {
        let found = try await node.fetch(Files.patients, where: condition)
        for patient in found { print("\(patient.id)  \(patient.name)") }
        if found.isEmpty { print("nobody") }
    }

    private func patient(_ id: String) async throws -> Patient {
        if let patient = try await node.fetch(Files.patients, id) { return patient }
        throw Mistake("there is no patient \(id)")
    }

    private func visit(_ id: String, _ reason: String) async throws {
        let patient = try await patient(id)
        let now = UnixInstant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        try await node.save(
            Encounter(id: UUID().uuidString, patient: patient.id, at: now, reason: reason),
            in: Files.encounters)
    }

    private func encounters(of id: String) async throws -> [Encounter] {
        let condition = Files.encounters[\.patient] == .text(id)
        return try await node.fetch(Files.encounters, where: condition, sort: [SortKey("at")])
    }

    /// Keeps the words of the catalogue with the diagnosis, which is never changed afterwards.
    private func diagnose(_ id: String, _ code: String, _ release: String) async throws {
        guard let finding = Catalogue.finding(code, in: release) else {
            throw Mistake("the catalogue of \(release) has no \(code)")
        }
        guard let encounter = try await encounters(of: id).last else {
            throw Mistake("a diagnosis belongs to a visit: first clinic HOME visit \(id) REASON")
        }
        let id = UUID().uuidString
        try await node.save(
            Diagnosis(id: id, encounter: encounter.id, finding: finding), in: Files.diagnoses)
    }

    private func show(_ id: String) async throws {
        let patient = try await patient(id)
        print(patient.name)
        for encounter in try await encounters(of: id) {
            print("  \(encounter.reason)")
            let made = try await node.fetch(
                Files.diagnoses, where: Files.diagnoses[\.encounter] == .text(encounter.id))
            for diagnosis in made {
                let made = diagnosis.finding
                print("    \(made.code) \(made.title) (\(made.release))")
            }
        }
    }

    private func export() async throws {
        let values: [any Encodable] =
            try await node.fetch(Files.patients) + node.fetch(Files.encounters)
            + node.fetch(Files.diagnoses)
        let lines = try values.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        print(lines.joined(separator: "\n"))
    }
}

/// A mistake of the person at the terminal.
struct Mistake: Error, CustomStringConvertible {
    let description: String
    init(_ words: String) { description = words }
}
