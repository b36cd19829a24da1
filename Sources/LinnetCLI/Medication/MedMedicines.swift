import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Adds, changes, ends and counts medicines.
enum MedMedicines {
    private static let fields = [
        "generic", "amount", "unit", "form", "route", "frequency", "start", "end", "instructions",
        "tag", "prescription", "package", "expires", "minimum", "times", "every", "days",
        "reference-zone", "max-per-day", "another",
    ]

    static let actions: [MedCommand.Action] = [
        MedCommand.Action(
            name: "add", words: "NAME", summary: "a new medicine",
            options: fields + ["stock"], run: add),
        MedCommand.Action(
            name: "edit", words: "MEDICATION", summary: "change values or times; '' clears a text",
            options: fields + ["name", "no-tag", "schedule"], run: edit),
        MedCommand.Action(
            name: "stop", words: "MEDICATION", summary: "nothing is due any more",
            options: [], run: stop),
        MedCommand.Action(
            name: "delete", words: "MEDICATION", summary: "into the trash; history stays",
            options: [], run: delete),
        MedCommand.Action(
            name: "restore", words: "MEDICATION", summary: "what was stopped or deleted",
            options: ["another"], run: restore),
        MedCommand.Action(
            name: "refill", words: "MEDICATION", summary: "--count more of it",
            options: ["count"], run: refill),
        MedCommand.Action(
            name: "recount", words: "MEDICATION", summary: "set the stock to --count",
            options: ["count"], run: recount),
    ]

    private static func add(_ session: MedSession) async throws(ControlFailure) {
        let name = session.arguments.words.dropFirst().joined(separator: " ")
        guard !name.isEmpty else { throw .usage("missing argument NAME") }
        var draft = try MedDraft.read(session)
        draft.name = .set(name)
        let timing = try MedDraft.timing(session)
        let stock = try MedDraft.number(session.arguments.value("stock"), "stock")
        let planner = try session.planner()
        let plan = try session.askedAgain { (isAnother) throws(MedicationError) in
            draft.isAnother = draft.isAnother || isAnother
            return try planner.add(draft, timing: timing, stock: stock)
        }
        let isNew = try await session.commit(plan.writes)
        report(session, plan, "Added", TerminalText.neutral(name), isNew)
    }

    private static func edit(_ session: MedSession) async throws(ControlFailure) {
        let medication = try session.medication()
        var draft = try MedDraft.read(session)
        let timing = try MedDraft.timing(session)
        let named = session.arguments.value("schedule").flatMap { RecordID($0) }
        let planner = try session.planner()
        let plan = try session.askedAgain { (isAnother) throws(MedicationError) in
            draft.isAnother = draft.isAnother || isAnother
            return try planner.edit(medication.id, draft, timing: timing, schedule: named)
        }
        let isNew = try await session.commit(plan.writes)
        let name = try await session.name(medication.id) ?? MedText.name(medication)
        report(session, plan, "Changed", name, isNew)
    }

    private static func stop(_ session: MedSession) async throws(ControlFailure) {
        let medication = try session.medication()
        let planner = try session.planner()
        let plan = try MedicineDesk.asked { () throws(MedicationError) in
            try planner.stop(medication.id)
        }
        let isNew = try await session.commit(plan.writes)
        report(session, plan, "Stopped", MedText.name(medication), isNew)
    }

    private static func delete(_ session: MedSession) async throws(ControlFailure) {
        let medication = try session.medication(orDeleted: true) { !$0.isActive }
        let planner = try session.planner()
        let plan = try MedicineDesk.asked { () throws(MedicationError) in
            try planner.delete(medication.id)
        }
        let isNew = try await session.commit(plan.writes)
        report(session, plan, "Deleted", MedText.name(medication), isNew)
    }

    private static func restore(_ session: MedSession) async throws(ControlFailure) {
        let book = session.book
        let medication = try session.medication(orDeleted: true) {
            !$0.isActive || book.deleted[$0.id] != nil
        }
        let planner = try session.planner()
        let wasSaid = session.arguments.has("another")
        let plan = try session.askedAgain { (isAnother) throws(MedicationError) in
            try planner.restore(medication.id, isAnother: wasSaid || isAnother)
        }
        let isNew = try await session.commit(plan.writes)
        report(session, plan, "Restored", MedText.name(medication), isNew)
    }

    private static func refill(_ session: MedSession) async throws(ControlFailure) {
        let medication = try session.medication()
        let count = try count(session)
        let planner = try session.planner()
        let plan = try MedicineDesk.asked { () throws(MedicationError) in
            try planner.refill(medication.id, by: count)
        }
        try await counted(session, plan, "Refilled", medication)
    }

    private static func recount(_ session: MedSession) async throws(ControlFailure) {
        let medication = try session.medication()
        let count = try count(session)
        let planner = try session.planner()
        let plan = try MedicineDesk.asked { () throws(MedicationError) in
            try planner.recount(medication.id, to: count)
        }
        try await counted(session, plan, "Counted", medication)
    }

    private static func counted(
        _ session: MedSession, _ plan: MedicationPlan, _ verb: String, _ medication: Medication
    ) async throws(ControlFailure) {
        let isNew = try await session.commit(plan.writes)
        let stock = try await session.stock(medication.id)
        session.output.result(
            [
                "medication": .text(medication.id.description), "changed": .bool(isNew),
                "stock": MedJSON.optional(stock?.description),
            ],
            (isNew ? verb : "Done before") + ": \(MedText.name(medication)), stock "
                + (stock?.stockText ?? "unknown"))
    }

    private static func count(_ session: MedSession) throws(ControlFailure) -> Decimal64 {
        guard let count = try MedDraft.number(session.arguments.value("count"), "count") else {
            throw .usage("say how many with --count N")
        }
        return count
    }

    private static func report(
        _ session: MedSession, _ plan: MedicationPlan, _ verb: String, _ name: String,
        _ isNew: Bool
    ) {
        session.output.result(
            ["medication": .text(plan.medication.description), "changed": .bool(isNew)],
            isNew ? "\(verb): \(name) (\(plan.medication))" : "\(name) is so already")
    }
}
