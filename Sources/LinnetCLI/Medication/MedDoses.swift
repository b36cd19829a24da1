import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Records doses.
enum MedDoses {
    static let actions: [MedCommand.Action] = [
        MedCommand.Action(
            name: "take", words: "MEDICATION", summary: "the dose that is due was taken",
            options: ["dose", "note", "additional"], run: take),
        MedCommand.Action(
            name: "skip", words: "MEDICATION", summary: "leave the dose out on purpose",
            options: ["dose", "note", "reason"], run: skip),
        MedCommand.Action(
            name: "snooze", words: "MEDICATION", summary: "remind again in ten minutes",
            options: ["dose", "note"], run: snooze),
        MedCommand.Action(
            name: "undo", words: "MEDICATION", summary: "take back what was recorded last",
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
        let clock = Instant(milliseconds: SystemClock.now().wallMilliseconds)
        guard session.now <= clock else {
            throw .failed(MedText.sentence(for: .invalid(.at, .notInFuture)))
        }
        let planner = try session.planner()
        let reason = session.arguments.value("reason")
        let made = try session.askedForDose(note, word(kind)) { (note) throws(MedicationError) in
            switch kind {
            case .taken: try planner.take(medication.id, note)
            case .skipped: try planner.skip(medication.id, reason: reason, note)
            case .snoozed: try planner.snooze(medication.id, note)
            case .undone: try planner.undo(medication.id, note)
            }
        }
        let before = made.dose.flatMap { session.book.ledger.dose($0) }
        let isNew = try await session.commit(made.writes)
        let stock = try await session.stock(medication.id)
        let text = isNew ? done(kind, made, before, session) : said(made, session)
        // Only the store knows what a repeated intent wrote.
        let isTold = isNew || made.isDone
        let alerts = try alerts(isNew ? made : nil, session)
        let left = stock.map { ", stock \($0.stockText)" } ?? ""
        session.output.result(
            [
                "medication": .text(medication.id.description), "changed": .bool(isNew),
                "alerts": .array(alerts.map(JSON.text)),
                "dose": MedJSON.optional(isTold ? made.dose?.stockKey : nil),
                "event": MedJSON.optional(isTold ? made.event?.description : nil),
                "stock": MedJSON.optional(stock?.description),
            ], ([text + left] + alerts).joined(separator: "\n"))
    }

    /// Returns the alerts that the new event brings about: whoever reads them can still call
    /// someone.
    private static func alerts(
        _ plan: MedicationPlan?, _ session: MedSession
    ) throws(ControlFailure) -> [String] {
        guard let plan else { return [] }
        var after = session.book
        for write in plan.writes {
            guard case .insert(let fields)? = write.changes.first else { continue }
            after.apply(
                RecordView(collection: write.key.collection, id: write.key.record, fields: fields))
        }
        let (now, zone, zones) = (session.now, session.zone, session.zones)
        return try MedicineDesk.asked { () throws(MedicationError) in
            let known = try session.book.alerts(now: now, zone: zone, zones: zones)
            return try after.alerts(now: now, zone: zone, zones: zones).filter { alert in
                switch alert {
                case .possibleDoubleDose, .aboveMaximum:
                    alert.medication == plan.medication && !known.contains(alert)
                default: false
                }
            }
        }.map { MedText.text($0, session.desk) }
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

    private static func word(_ kind: DoseEventKind) -> String {
        switch kind {
        case .taken: "take"
        case .skipped: "skip"
        case .snoozed: "snooze"
        case .undone: "undo"
        }
    }

    /// Returns the sentence about a new event, with what other devices had recorded of the dose.
    private static func done(
        _ kind: DoseEventKind, _ plan: MedicationPlan, _ before: Dose?, _ session: MedSession
    ) -> String {
        let content = before?.content ?? session.book.content(of: plan.medication)
        var text = "\(verb(kind)): \(TerminalText.neutral(content.description))"
        if case .occurrence(_, let scheduled)? = plan.dose {
            text += ", due \(session.time.text(scheduled))"
        }
        let others = kind == .taken ? before?.taken ?? [] : []
        if let first = others.first {
            let device = TerminalText.neutral(first.device ?? "another device")
            text += ", one dose with what \(device) recorded at \(session.time.text(first.at))"
        }
        return text
    }

    /// Returns the sentence about an event that was recorded before, where nothing was written now.
    private static func said(_ plan: MedicationPlan, _ session: MedSession) -> String {
        let ledger = session.book.ledger
        guard plan.isDone, let event = plan.event.flatMap({ ledger.event($0) }) else {
            let name = session.book.content(of: plan.medication).description
            return "Recorded before: \(TerminalText.neutral(name)), by a call with this --intent"
        }
        let content = event.content ?? session.book.content(of: plan.medication)
        var text = "Recorded before: \(TerminalText.neutral(content.description))"
        text += " \(event.kind.text) at \(session.time.text(event.at))"
        if case .occurrence(_, let scheduled)? = plan.dose {
            text += ", due \(session.time.text(scheduled))"
        }
        let cancelled = plan.dose.flatMap { ledger.dose($0) }?.cancelled ?? []
        if cancelled.contains(where: { $0.id == event.id }) {
            return text + ", and taken back since"
        }
        return event.kind == .known(.taken)
            ? text + " (an extra dose needs --additional)" : text
    }
}
