import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// Telling medications of one name apart, and asking before there are two.
@Suite struct MedicationNameTests {
    /// Medications by identifier: name, amount in mg, whether they are active.
    private func book(_ given: [(id: String, name: String, amount: String, isActive: Bool)]) throws
        -> MedicationBook
    {
        MedicationBook(
            try given.map { given in
                RecordView(
                    collection: Schema.medication.id, id: try TestDoses.id(given.id),
                    fields: [
                        FieldValues(1, [.text(given.name)]),
                        FieldValues(3, [.decimal(try number(given.amount)), .text("mg")]),
                        FieldValues(8, [.bool(given.isActive)]),
                    ])
            })
    }

    private func named(
        _ text: String, _ book: MedicationBook,
        rather isMeant: (Medication) -> Bool = \.isActive
    ) -> [String] {
        switch book.match(text, rather: isMeant) {
        case .none: []
        case .one(let medication): [medication.id.description]
        case .several(let found): found.map(\.id.description).sorted() + ["?"]
        }
    }

    @Test(arguments: [
        ("Ramipril 5 mg", ["abcd1"]), ("ramipril 50 MG", ["abcd2"]), ("Ramipril 5mg", ["abcd1"]),
        ("Ramipril", ["abcd1", "abcd2", "?"]), ("ramipril 5", ["abcd1"]), ("abcd2", ["abcd2"]),
        ("abcd", ["abcd1", "abcd2", "?"]), ("efgh", ["efgh1"]), ("efg", []), ("Rami 50", ["abcd2"]),
        ("met", ["efgh1"]), ("aspirin", []),
    ])
    func `name with strength, or the beginning of an identifier, names one`(
        text: String, wanted: [String]
    ) throws {
        let book = try book([
            ("abcd1", "Ramipril", "5", true), ("abcd2", "Ramipril", "50", true),
            ("efgh1", "Metformin", "500", true),
        ])
        #expect(named(text, book) == wanted)
    }

    @Test func `what a list calls a medication names just that one`() throws {
        let book = try book([
            ("abcd1", "Ramipril", "5", true), ("abcde2", "ramipril", "5", true),
            ("efgh1", "Ramipril 5 mg", "1", true), ("ijkl1", "Metformin", "500", true),
            ("mnop1", "Metformin", "500", false),
        ])
        for medication in book.medications.values {
            #expect(named(book.title(of: medication), book) == [medication.id.description])
        }
        #expect(book.shortName(of: try TestDoses.id("abcd1")) == "abcd1")
        #expect(book.shortName(of: try TestDoses.id("ijkl1")) == "ijkl")
        // Of one that is taken and one that was stopped, the one that is taken is meant.
        #expect(named("Metformin 500 mg", book) == ["ijkl1"])
        #expect(named("Metformin", book) { !$0.isActive } == ["mnop1"])
    }

    @Test func `a name that is there is asked about, and said to be meant`() throws {
        var house = try Household()
        func add(_ name: String, _ intent: String, isAnother: Bool = false) throws
            -> MedicationPlan
        {
            var draft = MedicationDraft(name)
            draft.isAnother = isAnother
            return try house.planner(at: "2026-01-09T12:00:00Z", intent: intent).add(draft)
        }
        let first = try TestDoses.id("a")
        try house.commit(add("Ramipril", "a"))
        #expect(try add("Ramipril", "a").isDone)
        for name in ["Ramipril", "RAMIPRIL", "Ramípril "] {
            #expect(throws: MedicationError.medicationAlreadyExists(first)) {
                try add(name, "b")
            }
        }
        try house.commit(add("Metformin", "c"))
        var renamed = MedicationDraft()
        renamed.name = .set("ramipril")
        let edit = try house.planner(at: "2026-01-09T12:01:00Z", intent: "e")
        #expect(throws: MedicationError.medicationAlreadyExists(first)) {
            try edit.edit(TestDoses.id("c"), renamed)
        }
        renamed.isAnother = true
        #expect(try !edit.edit(TestDoses.id("c"), renamed).isDone)
        #expect(try !edit.edit(first, renamed).isDone)
        try house.commit(house.planner(at: "2026-01-09T12:02:00Z", intent: "s").stop(first))
        #expect(throws: MedicationError.medicationAlreadyExists(first)) { try add("Ramipril", "b") }
        try house.commit(add("Ramipril", "b", isAnother: true))
        let back = try house.planner(at: "2026-01-09T12:03:00Z", intent: "r")
        #expect(throws: MedicationError.medicationAlreadyExists(try TestDoses.id("b"))) {
            try back.restore(first)
        }
        #expect(try !back.restore(first, isAnother: true).isDone)
    }
}
