import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Records doses for the API.
enum DoseWriting {
    /// The word of a deed.
    static func word(_ kind: DoseEventKind) -> String {
        switch kind {
        case .taken: "take"
        case .skipped: "skip"
        case .snoozed: "snooze"
        case .undone: "undo"
        }
    }

    /// Records a deed and returns what became of it.
    static func log(
        _ kind: DoseEventKind, _ desk: MedicineDesk, _ call: Verb.Call
    ) async throws(ControlFailure) -> JSON {
        let members = call.members
        guard let id = RecordID(try members.text("medication")) else {
            throw .usage("'medication' is the identifier of a medicine")
        }
        let note = try note(members)
        let reason = kind == .skipped ? try members.optionalText("reason") : nil
        let (planner, intent) = try await planner(desk, call)
        let plan = try MedicineDesk.asked { () throws(MedicationError) in
            switch kind {
            case .taken: try planner.take(id, note)
            case .skipped: try planner.skip(id, reason: reason, note)
            case .snoozed: try planner.snooze(id, note)
            case .undone: try planner.undo(id, note)
            }
        }
        let isNew = try await commit(plan.writes, intent, call.gateway)
        // Only the store knows what a repeated intent wrote.
        let isTold = isNew || plan.isDone
        var stock: Decimal64?
        if desk.book.isInStep, let record = try await call.gateway.record(Schema.stock, id) {
            stock = MedicationBook([record]).stocks[id]
        }
        return [
            "medication": .text(id.description), "changed": .bool(isNew),
            "dose": MedJSON.optional(isTold ? plan.dose?.stockKey : nil),
            "event": MedJSON.optional(isTold ? plan.event?.description : nil),
            "stock": MedJSON.optional(stock?.description),
        ]
    }

    private static func note(_ members: VerbMembers) throws(ControlFailure) -> DoseNote {
        var note = DoseNote()
        note.note = try members.optionalText("note")
        note.isAdditional = try members.flag("additional", usual: false)
        if let text = try members.optionalText("scheduled") {
            guard let instant = Instant(text) else {
                throw .usage("'scheduled' is a time in UTC, as a dose has it")
            }
            note.scheduled = instant
        }
        return note
    }

    /// Returns a planner whose records are named by the intent, as those of `linnet med --intent`.
    static func planner(
        _ desk: MedicineDesk, _ call: Verb.Call
    ) async throws(ControlFailure) -> (MedicationPlanner, intent: [UInt8]) {
        guard let intent = try call.members.intent(upTo: 39) else {
            throw .usage("'intent' is missing: 1 to 39 bytes that name this wish")
        }
        let member = try await call.gateway.ask(StatusRequest()).members.first(where: \.isSelf)
        let name = member?.name ?? ""
        let named = RecordID(naturalKey: "med", String(decoding: intent, as: UTF8.self))
        let planner = try MedicineDesk.asked { () throws(MedicationError) in
            try MedicationPlanner(
                book: desk.book, now: desk.now, zone: desk.zone.name, zones: desk.zones,
                device: name.isEmpty ? "unnamed device" : name,
                witness: member.map { String($0.device.description.prefix(16)) },
                intent: named.description)
        }
        return (planner, intent)
    }

    /// Commits a plan; false when everything was so before.
    static func commit(
        _ writes: [Write], _ intent: [UInt8], _ gateway: Gateway
    ) async throws(ControlFailure) -> Bool {
        guard !writes.isEmpty else { return false }
        let receipt = try await gateway.write(writes, intent: intent)
        // A dose that a recount of the stock had counted in leaves the stock as it was counted.
        if case .hidden(let hidden, let count) = receipt.outcome,
            count > hidden.count || hidden.contains(where: { $0.reason != .counted })
        {
            let lines = hidden.map { TerminalText.neutral($0.description) }
            throw ControlFailure(.hidden, lines.joined(separator: "\n"))
        }
        return !receipt.repeated && receipt.outcome != .unchanged
    }
}
