package import LinnetCRDT
import LinnetWire

/// What a person says about a dose.
package struct DoseNote: Equatable, Sendable {
    /// When the dose was due, where the person names one.
    package var scheduled: Instant?
    /// When it happened; now, unless the person says otherwise.
    package var at: Instant?
    /// What the person wrote.
    package var note: String?
    /// Whether it is a deliberate further dose.
    package var isAdditional = false

    /// Nothing but that it happened.
    package init() {}

    /// Longest note, in bytes.
    package static let longestNoteBytes = 2_000
}

extension MedicationPlanner {
    /// Doses up to so long ahead are taken early by a plain tap: 60 minutes.
    package static let earlyMilliseconds: Int64 = 3_600_000

    /// Logs a dose as taken. Nothing is written when it was, unless as an additional dose.
    package func take(
        _ id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        let at = note.at ?? now
        let event = try eventID(at: at)
        if let known = book.ledger.event(event) { return repeated(known) }
        if note.isAdditional {
            var taken = try new(.taken, of: id, at: at, note, nil)
            taken.isAdditional = true
            return logged(taken, medication)
        }
        let key = try dose(of: id, note)
        if let known = book.ledger.dose(key)?.taken.first { return repeated(known) }
        if case .asNeeded = key, let recent = recentDose(of: id, before: at) {
            return repeated(recent)
        }
        return logged(try new(.taken, of: id, at: at, note, key), medication)
    }

    /// Logs a dose as left out on purpose.
    package func skip(
        _ id: RecordID, reason: String? = nil, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        if let reason, SkipReason(rawValue: reason) == nil {
            throw .invalid(.reason, .oneOf(SkipReason.allCases.map(\.rawValue)))
        }
        let event = try eventID(at: note.at ?? now)
        if let known = book.ledger.event(event) { return repeated(known) }
        let key = try scheduledDose(of: id, note)
        if let dose = book.ledger.dose(key) {
            guard dose.taken.isEmpty else { throw .invalid(.occurrence, .notTaken) }
            if let known = dose.skipped.last { return repeated(known) }
        }
        var skipped = try new(.skipped, of: id, at: note.at ?? now, note, key)
        skipped.reason = reason.map { Term($0) }
        return logged(skipped, medication)
    }

    /// Puts a dose off for `DoseStatus.snoozeMilliseconds`.
    package func snooze(
        _ id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        let event = try eventID(at: note.at ?? now)
        if let known = book.ledger.event(event) { return repeated(known) }
        let key = try scheduledDose(of: id, note)
        if let dose = book.ledger.dose(key), dose.outcome.isRecorded {
            throw .invalid(.occurrence, .notTaken)
        }
        return logged(try new(.snoozed, of: id, at: note.at ?? now, note, key), medication)
    }

    /// Takes back what was last recorded of a medication, or of one dose of it: all taken events
    /// that are known here, else all skipped ones.
    package func undo(
        _ id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        guard let medication = book.medication(id) else { throw .invalid(.medication, .exists) }
        if let known = undone() { return repeated(known) }
        let dose = try lastDose(of: id, scheduled: note.scheduled)
        let named = dose.taken.isEmpty ? dose.skipped : dose.taken
        guard let first = named.first else { throw .invalid(.event, .somethingToUndo) }
        var event = DoseEvent(
            id: try eventID(at: first.at), medication: id, schedule: first.schedule,
            scheduled: first.scheduled, kind: .known(.undone), at: now, timeZone: zone)
        event.device = device
        event.isAdditional = first.isAdditional
        event.note = try checked(note.note)
        event.undoes = named.map(\.id)
        return logged(event, medication, gives: named.contains { $0.quantity != nil })
    }

    /// The dose that a plain tap means, the same on every device: the last one that is due, or due
    /// within `earlyMilliseconds`, of the past day; else the next one of the coming day.
    ///
    /// What was recorded does not matter: a second tap means the same dose.
    package func dose(
        of id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> DoseKey {
        let at = note.at ?? now
        // Nobody can tell which dose is meant.
        if let zone = book.missingZone(for: id, zones) { throw .unknownZone(zone) }
        if let scheduled = note.scheduled { return try named(scheduled, of: id) }
        let day = CivilTime.dayMilliseconds
        let range = at.advanced(byMilliseconds: -day)..<at.advanced(byMilliseconds: day)
        let due = try book.lines(in: range, now: at, zones: zones).filter {
            $0.medication == id && $0.isScheduled
        }
        let early = at.advanced(byMilliseconds: MedicationPlanner.earlyMilliseconds)
        if let line = due.last(where: { $0.scheduled <= early }) ?? due.first { return line.key }
        return .asNeeded(medication: id, slot: DoseKey.slot(of: at))
    }

    private func named(
        _ scheduled: Instant, of id: RecordID
    ) throws(MedicationError) -> DoseKey {
        let range = scheduled..<scheduled.advanced(byMilliseconds: 60_000)
        let found = try book.lines(in: range, now: now, zones: zones).first {
            $0.medication == id
        }
        guard let found else { throw .invalid(.occurrence, .exists) }
        guard scheduled.milliseconds(since: now) <= CivilTime.dayMilliseconds else {
            throw .invalid(.occurrence, .withinADay)
        }
        return found.key
    }

    private func scheduledDose(
        of id: RecordID, _ note: DoseNote
    ) throws(MedicationError) -> DoseKey {
        let key = try dose(of: id, note)
        guard case .occurrence = key else { throw .invalid(.occurrence, .exists) }
        return key
    }
}

extension MedicationPlanner {
    private func new(
        _ kind: DoseEventKind, of id: RecordID, at: Instant, _ note: DoseNote, _ key: DoseKey?
    ) throws(MedicationError) -> DoseEvent {
        var (schedule, scheduled): (RecordID?, Instant?) = (nil, at)
        switch key {
        case .occurrence(let name, let instant): (schedule, scheduled) = (name, instant)
        case .asNeeded(_, let slot): scheduled = slot
        case .additional, nil: break
        }
        var event = DoseEvent(
            id: try eventID(at: at), medication: id, schedule: schedule, scheduled: scheduled,
            kind: .known(kind), at: at, timeZone: zone)
        event.note = try checked(note.note)
        event.device = device
        return event
    }

    private func checked(_ note: String?) throws(MedicationError) -> String? {
        guard let note, !note.isEmpty else { return nil }
        guard note.utf8.count <= DoseNote.longestNoteBytes else {
            throw .invalid(.note, .atMostBytes(DoseNote.longestNoteBytes))
        }
        return note
    }

    /// The event in the log, and what it does to the stock. Who never entered a stock has none.
    private func logged(
        _ event: DoseEvent, _ medication: Medication, gives: Bool = false
    ) -> MedicationPlan {
        var event = event
        var writes: [PlannedWrite] = []
        if let key = event.key?.stockKey, book.stocks[medication.id] != nil {
            if event.kind == .known(.taken) {
                event.quantity = medication.stockQuantity
                writes.append(
                    counted(medication.id, key: key, medication.stockQuantity.negated))
            } else if gives {
                writes.append(counted(medication.id, key: key, .zero))
            }
        }
        writes.insert(PlannedWrite(inserting: event.record), at: 0)
        return MedicationPlan(
            writes, medication: medication.id, dose: event.key, event: event.id)
    }

    private func repeated(_ event: DoseEvent) -> MedicationPlan {
        MedicationPlan([], medication: event.medication, dose: event.key, event: event.id)
    }

    /// A dose as needed that was taken so shortly before that a second one is not meant.
    private func recentDose(of id: RecordID, before at: Instant) -> DoseEvent? {
        let before = DoseKey.slot(of: at).advanced(byMilliseconds: -DoseKey.slotMilliseconds)
        let dose = book.ledger.dose(.asNeeded(medication: id, slot: before))
        guard let last = dose?.taken.last,
            at.milliseconds(since: last.at) < MedicationAlert.doubleMilliseconds
        else { return nil }
        return last
    }

    /// The undone event of this intent, if it was logged: its month is that of what it took back.
    private func undone() -> DoseEvent? {
        let month = CivilTime.dayMilliseconds * 28
        for age: Int64 in 0...3 {
            let at = now.advanced(byMilliseconds: -age * month)
            if let id = DoseEvent.id(intent: intent.description, at: at),
                let event = book.ledger.event(id)
            {
                return event
            }
        }
        return nil
    }

    /// The dose of which something was recorded last, within a month; or the one due at an instant.
    private func lastDose(
        of id: RecordID, scheduled: Instant?
    ) throws(MedicationError) -> Dose {
        let month = CivilTime.dayMilliseconds * 31
        var range = now.advanced(byMilliseconds: -month)..<now.advanced(byMilliseconds: month)
        if let scheduled { range = scheduled..<scheduled.advanced(byMilliseconds: 60_000) }
        let doses = book.ledger.doses(in: range).filter {
            $0.medication == id && $0.outcome.isRecorded
        }
        let last = doses.max { left, right in left.lastRecorded < right.lastRecorded }
        guard let last else { throw .invalid(.event, .somethingToUndo) }
        return last
    }
}

extension Dose {
    /// When what stands was last recorded.
    fileprivate var lastRecorded: Instant {
        (taken + skipped).map(\.at).max() ?? Instant(milliseconds: .min)
    }
}
