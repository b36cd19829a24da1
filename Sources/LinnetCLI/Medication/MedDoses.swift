import Linnet
import LinnetCRDT
import LinnetMedication

/// Logging doses.
enum MedDoses {
    static let actions: [MedCommand.Action] = [
        MedCommand.Action(
            name: "take", words: "MEDICATION", summary: "the dose that is due was taken",
            options: ["dose", "note", "additional"], run: take),
        MedCommand.Action(
            name: "skip", words: "MEDICATION", summary: "it is left out on purpose",
            options: ["dose", "note", "reason"], run: skip),
        MedCommand.Action(
            name: "snooze", words: "MEDICATION", summary: "remind again in ten minutes",
            options: ["dose", "note"], run: snooze),
        MedCommand.Action(
            name: "undo", words: "MEDICATION", summary: "what was recorded last was wrong",
            options: ["dose", "note"], run: undo),
    ]

    private static func take(_ session: MedSession) async throws(ControlFailure) {
        try await log(session, .taken)
    }

    private static func skip(_ session: MedSession) async throws(ControlFailure) {
        try await log(session, .skipped)
    }

    private static func snooze(_ session: MedSession) async throws(ControlFailure) {
        try await log(session, .snoozed)
    }

    private static func undo(_ session: MedSession) async throws(ControlFailure) {
        try await log(session, .undone)
    }

    private static func log(
        _ session: MedSession, _ kind: DoseEventKind
    ) async throws(ControlFailure) {
        let medication = try session.medication(orDeleted: kind == .undone)
        let note = try note(session)
        let planner = try session.planner()
        let reason = session.arguments.value("reason")
        let made = try MedSession.asked { () throws(MedicationError) in
            switch kind {
            case .taken: try planner.take(medication.id, note)
            case .skipped: try planner.skip(medication.id, reason: reason, note)
            case .snoozed: try planner.snooze(medication.id, note)
            case .undone: try planner.undo(medication.id, note)
            }
        }
        let isNew = try await session.commit(made.writes)
        let stock = try await session.stock(medication.id)
        let name = MedText.name(medication)
        var text = isNew ? "\(verb(kind)): \(name)" : said(made, name, session)
        if case .occurrence(_, let scheduled)? = made.dose {
            text += ", due \(session.time.text(scheduled))"
        }
        if let stock { text += ", stock \(stock.stockText)" }
        session.output.result(
            [
                "medication": .text(medication.id.description), "changed": .bool(isNew),
                "dose": MedJSON.optional(made.dose?.stockKey),
                "event": MedJSON.optional(made.event?.description),
                "stock": MedJSON.optional(stock?.description),
            ], text)
    }

    private static func note(_ session: MedSession) throws(ControlFailure) -> DoseNote {
        var note = DoseNote()
        note.note = session.arguments.value("note")
        note.isAdditional = session.arguments.has("additional")
        if let text = session.arguments.value("dose") {
            note.scheduled = try session.time.instant(text, "dose")
        }
        return note
    }

    private static func verb(_ kind: DoseEventKind) -> String {
        switch kind {
        case .taken: "Taken"
        case .skipped: "Skipped"
        case .snoozed: "Put off"
        case .undone: "Taken back"
        }
    }

    private static func said(
        _ plan: MedicationPlan, _ name: String, _ session: MedSession
    ) -> String {
        var text = "Recorded before: \(name)"
        if let event = plan.event.flatMap({ session.book.ledger.event($0) }) {
            text += " \(event.kind.text) at \(session.time.text(event.at))"
        }
        return text + " (a further dose needs --additional)"
    }
}
