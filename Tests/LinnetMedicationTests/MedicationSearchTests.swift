import LinnetCRDT
import Testing

@testable import LinnetMedication

@Suite struct MedicationSearchTests {
    private func book() throws -> MedicationBook {
        var house = try Household()
        let all: [(name: String, generic: String?, tag: String, text: String)] = [
            ("Édouard's Crème", nil, "skin", "Apply twice"),
            ("Metformin", "metforminum", "diabetes", "With food"),
            ("Straße", nil, "ŻÓŁTY", "Ἀσπιρίνη"), ("Zest", nil, "Zucker", "not with Metformin"),
        ]
        for (number, given) in all.enumerated() {
            var draft = MedicationDraft(given.name)
            if let generic = given.generic { draft.genericName = .set(generic) }
            draft.addedTags = [given.tag]
            draft.instructions = .set(given.text)
            try house.commit(
                house.planner(at: "2026-01-09T21:00:00Z", intent: "m\(number)").add(draft))
        }
        return house.books[0]
    }

    @Test(arguments: [
        ("creme", ["Édouard's Crème"]), ("EDOUARD", ["Édouard's Crème"]),
        ("cre\u{300}me", ["Édouard's Crème"]), ("strasse", ["Straße"]), ("zolty", ["Straße"]),
        ("ασπιρινη", ["Straße"]), ("metformin", ["Metformin", "Zest"]),
        ("food metf", ["Metformin"]), ("formin", ["Metformin", "Zest"]),
        ("z", ["Zest", "Straße"]), ("nothing", []),
        ("", ["Metformin", "Straße", "Zest", "Édouard's Crème"]),
    ])
    func `words are found without case and marks, best first`(
        query: String, names: [String]
    ) throws {
        #expect(try book().search(query).map(\.name) == names)
    }

    @Test func `texts come apart at what is neither letter nor digit`() {
        #expect(SearchText.words("B-12, 5% (ÅŁÆ)") == ["b", "12", "5", "alae"])
        #expect(SearchText.words("錠剤 2") == ["錠剤", "2"])
    }
}
