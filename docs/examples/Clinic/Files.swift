import Foundation
import Linnet

/// A patient. The name is kept a second time, as it is searched for.
struct Patient: Codable, Sendable, Identifiable, Equatable {
    var id: String
    var name = ""
    var searched = ""
    /// The national number. Its index is blind: the database file does not show it.
    var number = ""
}

/// A visit of a patient.
struct Encounter: Codable, Sendable, Identifiable, Equatable {
    var id: String
    var patient: String?
    var at: UnixInstant?
    var reason = ""
}

/// A diagnosis as it was made: a log's record, which a later release of the catalogue leaves as is.
struct Diagnosis: Codable, Sendable, Identifiable, Equatable {
    struct Finding: Codable, Sendable, Equatable {
        var code = ""
        var title = ""
        var release = ""
    }
    var id: String
    var encounter: String?
    var finding = Finding()
}

/// The collections of the clinic. Numbers are never used again for something else.
enum Files {
    static let patients = TypedCollection<Patient>(
        id: 3_000, name: "patient", scope: "clinic", deletePolicy: .updateWins,
        fields: [
            .lww(1, "name", \.name), .lww(2, "searched", \.searched),
            .lww(3, "number", \.number, index: .blind),
        ])
    static let encounters = TypedCollection<Encounter>(
        id: 3_001, name: "encounter", scope: "clinic",
        fields: [
            .reference(1, "patient", \.patient, to: 3_000), .lww(2, "at", \.at),
            .lww(3, "reason", \.reason),
        ])
    static let diagnoses = TypedCollection<Diagnosis>(
        id: 3_002, name: "diagnosis", scope: "clinic", isLog: true,
        fields: [
            .reference(1, "encounter", \.encounter, to: 3_001),
            .group(
                2, "finding", \.finding,
                [.init("code", \.code), .init("title", \.title), .init("release", \.release)]),
        ])

    static func schema() throws -> Schema {
        let all = [patients.collection, encounters.collection, diagnoses.collection]
        return try Schema(version: 1, collections: all)
    }
}

/// Two releases of a catalogue of diagnoses. The second one words a title anew.
enum Catalogue {
    static let releases: [String: [String: String]] = [
        "2025": ["I10": "Essential hypertension", "J45": "Asthma"],
        "2026": ["I10": "Primary hypertension", "J45": "Asthma", "U09": "Post COVID-19 condition"],
    ]

    static func finding(_ code: String, in release: String) -> Diagnosis.Finding? {
        releases[release]?[code].map { .init(code: code, title: $0, release: release) }
    }
}

/// A name as it is searched for.
func searched(_ name: String) -> String {
    name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
}
