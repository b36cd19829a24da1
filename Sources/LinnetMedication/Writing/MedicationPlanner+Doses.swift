public import LinnetCRDT
import LinnetWire

/// The words of a person about a dose.
public struct DoseNote: Equatable, Sendable {
    /// The instant at which the dose was due, where the person names one.
    public var scheduled: Instant?
    /// The instant at which it happened; now, unless the person says otherwise.
    public var at: Instant?
    /// The note that the person wrote.
    public var note: String?
    /// True when it is a deliberate further dose.
    public var isAdditional = false

    /// Nothing but that it happened.
    public init() {}

    /// Longest note, in bytes.
    public static let longestNoteBytes = 2_000
}

extension MedicationPlanner {
    /// Logs a dose as taken. What this device recorded before is not written again, unless as an
    /// additional dose; beside what other devices recorded it is a witness of its own.
    ///
    /// Throws `unclearDose` where a plain tap does not tell which dose is meant.
    public func take(
        _ id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        let at = try moment(note)
        if let known = logged() { return repeated(known) }
        if note.isAdditional {
            var taken = try new(.taken, of: medication, at: at, note, nil)
            taken.isAdditional = true
            return logged(taken, medication)
        }
        let key = try dose(of: id, note)
        let dose = book.ledger.dose(key)
        if let known = dose?.taken.last(where: isOwn) {
            // What no schedule makes due has no other dose beside it that could be meant.
            if isPlain(note, key), !isDoubleTap(known, at) {
                throw try unclear(.recorded, of: id, at: at)
            }
            return repeated(known)
        }
        if let dose, dose.taken.isEmpty, !dose.skipped.isEmpty, isPlain(note, key) {
            throw try unclear(.recorded, of: id, at: at)
        }
        return logged(try new(.taken, of: medication, at: at, note, key), medication)
    }

    /// Logs a dose as left out on purpose.
    public func skip(
        _ id: RecordID, reason: String? = nil, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        if let reason, SkipReason(rawValue: reason) == nil {
            throw .invalid(.reason, .oneOf(SkipReason.allCases.map(\.rawValue)))
        }
        let at = try moment(note)
        if let known = logged() { return repeated(known) }
        let key = try scheduledDose(of: id, note)
        if let dose = book.ledger.dose(key) {
            guard dose.taken.isEmpty else { throw .invalid(.occurrence, .notTaken) }
            if let known = dose.skipped.last(where: isOwn) { return repeated(known) }
        }
        var skipped = try new(.skipped, of: medication, at: at, note, key)
        skipped.reason = reason.map { Term($0) }
        return logged(skipped, medication)
    }

    /// Puts a dose off for `DoseStatus.snoozeMilliseconds`.
    public func snooze(
        _ id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        let medication = try medication(id)
        let at = try moment(note)
        if let known = logged() { return repeated(known) }
        let key = try scheduledDose(of: id, note)
        if let dose = book.ledger.dose(key), dose.outcome.isRecorded {
            throw .invalid(.occurrence, .notTaken)
        }
        return logged(try new(.snoozed, of: medication, at: at, note, key), medication)
    }

    /// Takes back what was last recorded of a medication, or of one dose of it: all taken events
    /// that are known here, else all skipped ones.
    public func undo(
        _ id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> MedicationPlan {
        guard let medication = book.medication(id) else { throw .invalid(.medication, .exists) }
        if let known = logged() { return repeated(known) }
        let dose = try lastDose(of: id, scheduled: note.scheduled)
        let named = dose.taken.isEmpty ? dose.skipped : dose.taken
        guard let first = named.first else { throw .invalid(.event, .somethingToUndo) }
        var event = DoseEvent(
            id: try eventID(at: first.at), medication: id, schedule: first.schedule,
            scheduled: first.scheduled, kind: .known(.undone), at: now, timeZone: zone)
        (event.device, event.witness) = (device, witness)
        event.content = named.lazy.compactMap(\.content).first
        event.isAdditional = first.isAdditional
        event.note = try checked(note.note)
        event.undoes = named.map(\.id)
        return logged(event, medication, gives: named.contains { $0.quantity != nil })
    }

    /// The dose that is named, or that a plain tap means: the one nearest in time, at most
    /// `windowMilliseconds` early or late; of what no schedule makes due, the one of its slot.
    ///
    /// Throws `unclearDose` where there is none so near, and where the same finger may have meant
    /// another one just before.
    public func dose(
        of id: RecordID, _ note: DoseNote = DoseNote()
    ) throws(MedicationError) -> DoseKey {
        let at = note.at ?? now
        // Nobody can tell which dose is meant.
        if let zone = book.missingZone(for: id, zones) { throw .unknownZone(zone) }
        if let scheduled = note.scheduled { return try named(scheduled, of: id) }
        let meant = try MeantDose(of: id, at: at, in: book, zones: zones)
        if !meant.isEmpty || isScheduled(id) {
            if let nearest = meant.nearest, wasTapped(nearest, at) { return nearest.key }
            let line = try meant.nearestInWindow()
            if let other = meant.others(than: line).first(where: { wasTapped($0, at) }) {
                throw meant.unclear(.recorded, other)
            }
            return line.key
        }
        let slot = DoseKey.asNeeded(medication: id, slot: DoseKey.slot(of: at))
        return book.ledger.dose(slot)?.taken.isEmpty == false
            ? slot : recentDose(of: id, before: at)?.key ?? slot
    }

    /// Returns true when a tap leaves open which of the doses that a schedule makes due it means.
    private func isPlain(_ note: DoseNote, _ key: DoseKey) -> Bool {
        guard case .occurrence = key else { return false }
        return note.scheduled == nil
    }

    /// Returns true when a schedule that applies makes doses of a medication due.
    private func isScheduled(_ id: RecordID) -> Bool {
        book.schedules(of: id).contains { schedule in
            guard schedule.isActive, let timing = schedule.timing else { return false }
            return timing.pattern != .asNeeded
        }
    }

    private func unclear(
        _ reason: UnclearDose.Reason, of id: RecordID, at: Instant
    ) throws(MedicationError) -> MedicationError {
        let meant = try MeantDose(of: id, at: at, in: book, zones: zones)
        return meant.unclear(reason, meant.nearest)
    }

    private func named(
        _ scheduled: Instant, of id: RecordID
    ) throws(MedicationError) -> DoseKey {
        let range = scheduled..<scheduled.advanced(byMilliseconds: 60_000)
        let lines = try book.lines(in: range, now: now, zones: zones).filter {
            $0.medication == id
        }
        guard let found = lines.first(where: \.isScheduled) ?? lines.first else {
            throw .invalid(.occurrence, .exists)
        }
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
        _ kind: DoseEventKind, of medication: Medication, at: Instant, _ note: DoseNote,
        _ key: DoseKey?
    ) throws(MedicationError) -> DoseEvent {
        var (schedule, scheduled): (RecordID?, Instant?) = (nil, at)
        switch key {
        case .occurrence(let name, let instant): (schedule, scheduled) = (name, instant)
        case .asNeeded(_, let slot): scheduled = slot
        case .additional, nil: break
        }
        var event = DoseEvent(
            id: try eventID(at: at), medication: medication.id, schedule: schedule,
            scheduled: scheduled, kind: .known(kind), at: at, timeZone: zone)
        event.note = try checked(note.note)
        (event.device, event.witness) = (device, witness)
        event.content = DoseContent(medication)
        return event
    }

    /// Returns the instant at which it happened; throws where that lies ahead.
    private func moment(_ note: DoseNote) throws(MedicationError) -> Instant {
        let at = note.at ?? now
        guard at <= now else { throw .invalid(.at, .notInFuture) }
        return at
    }

    /// Returns true when this device recorded an event. Where neither says more than a name, equal
    /// names are one device.
    private func isOwn(_ event: DoseEvent) -> Bool {
        if let witness, let other = event.witness { return witness == other }
        return event.device == device
    }

    /// Returns true when a tap repeats the one that an event tells of, rather than meaning
    /// something new.
    private func isDoubleTap(_ event: DoseEvent, _ at: Instant) -> Bool {
        abs(at.milliseconds(since: event.at)) < MedicationAlert.doubleMilliseconds
    }

    /// Returns true when this device recorded a dose as taken just before.
    private func wasTapped(_ line: DoseLine, _ at: Instant) -> Bool {
        let tap = book.ledger.dose(line.key)?.taken.last(where: isOwn)
        return tap.map { isDoubleTap($0, at) } ?? false
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
        var writes: [Write] = []
        if let key = event.key?.stockKey, book.stocks[medication.id] != nil {
            if event.kind == .known(.taken) {
                event.quantity = medication.stockQuantity
                writes.append(
                    counted(medication.id, key: key, medication.stockQuantity.negated))
            } else if gives {
                writes.append(counted(medication.id, key: key, .zero))
            }
        }
        writes.insert(Write(inserting: event.record), at: 0)
        return MedicationPlan(
            writes, medication: medication.id, dose: event.key, event: event.id)
    }

    private func repeated(_ event: DoseEvent) -> MedicationPlan {
        MedicationPlan([], medication: event.medication, dose: event.key, event: event.id)
    }

    /// A dose as needed that was taken so shortly before that a further one is not meant.
    private func recentDose(of id: RecordID, before at: Instant) -> DoseEvent? {
        let before = DoseKey.slot(of: at).advanced(byMilliseconds: -DoseKey.slotMilliseconds)
        let dose = book.ledger.dose(.asNeeded(medication: id, slot: before))
        guard let last = dose?.taken.last,
            at.milliseconds(since: last.at) < MedicationAlert.doubleMilliseconds
        else { return nil }
        return last
    }

    /// The event of this intent, if it was logged: in the month of a first try, or in that of what
    /// was taken back.
    private func logged() -> DoseEvent? {
        let month = CivilTime.dayMilliseconds * 28
        for age: Int64 in 0...13 {
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
    /// The instant at which what stands was last recorded.
    fileprivate var lastRecorded: Instant {
        (taken + skipped).map(\.at).max() ?? Instant(milliseconds: .min)
    }
}
