package import LinnetCRDT

/// An event that one device recorded about a dose; never changed.
package struct DoseEvent: Equatable, Sendable {
    /// The identifier: the UTC month, a slash and the intent.
    package let id: RecordID
    /// The medication.
    package let medication: RecordID
    /// The schedule that made the dose due; nil for one that was needed.
    package let schedule: RecordID?
    /// The instant at which the dose was due; of a dose as needed its slot; nil for an additional
    /// one.
    package let scheduled: Instant?
    /// The kind of event.
    package let kind: Term<DoseEventKind>
    /// The instant at which it happened.
    package let at: Instant
    /// The time zone of the device that recorded it.
    package let timeZone: String
    /// The reason for which the dose was skipped.
    package var reason: Term<SkipReason>?
    /// The note that the person wrote.
    package var note: String?
    /// The device that recorded it, as its people call it.
    package var device: String?
    /// True when it is a deliberate further dose.
    package var isAdditional = false
    /// The events that an undone event takes back: all that its device had seen.
    package var undoes: [RecordID] = []
    /// The amount that was taken off the stock.
    package var quantity: Decimal64?
    /// The content of the dose; nil where an earlier version did not say.
    package var content: DoseContent?
    /// Tells the device that recorded it from others of the same name.
    package var witness: String?

    /// An event without the details.
    package init(
        id: RecordID, medication: RecordID, schedule: RecordID?, scheduled: Instant?,
        kind: Term<DoseEventKind>, at: Instant, timeZone: String
    ) {
        self.id = id
        self.medication = medication
        self.schedule = schedule
        self.scheduled = scheduled
        self.kind = kind
        self.at = at
        self.timeZone = timeZone
    }

    /// Reads a record of the log; nil when it does not say what happened to which medication when.
    package init?(_ record: RecordView) {
        typealias Fields = Schema.DoseEventFields
        guard let medication = record.record(Fields.medication),
            let kind = record.text(Fields.event), let at = record.instant(Fields.at)
        else { return nil }
        self.init(
            id: record.id, medication: medication, schedule: record.record(Fields.schedule),
            scheduled: record.instant(Fields.scheduled), kind: Term(kind), at: at,
            timeZone: record.text(Fields.timeZone) ?? "UTC")
        reason = record.text(Fields.reason).map { Term($0) }
        note = record.text(Fields.note)
        device = record.text(Fields.device)
        isAdditional = record.flag(Fields.additional) ?? false
        // No identifier holds a line feed.
        undoes = (record.text(Fields.undoes) ?? "").split(separator: "\n").compactMap {
            RecordID(String($0))
        }
        quantity = record.decimal(Fields.quantity)
        content = DoseContent(record)
        witness = record.text(Fields.witness)
    }

    /// The record of the log.
    package var record: RecordView {
        typealias Fields = Schema.DoseEventFields
        let undone = undoes.map(\.description).joined(separator: "\n")
        var values: [(field: UInt32, value: Value)] = [
            (Fields.medication, .text(medication.description)),
            (Fields.schedule, .optional(schedule?.description)),
            (Fields.scheduled, .optional(scheduled)), (Fields.event, .text(kind.text)),
            (Fields.at, .instant(at.milliseconds)), (Fields.timeZone, .text(timeZone)),
            (Fields.reason, .optional(reason?.text)), (Fields.note, .optional(note)),
            (Fields.device, .optional(device)),
            (Fields.additional, isAdditional ? .bool(true) : .null),
            (Fields.undoes, undoes.isEmpty ? .null : .text(undone)),
            (Fields.quantity, .optional(quantity)),
        ]
        values += DoseContent.values(content)
        values.append((Fields.witness, .optional(witness)))
        return RecordView(of: Schema.doseEvent, id: id, values)
    }

    /// The dose that the event is about; nil when it names none.
    package var key: DoseKey? {
        if isAdditional {
            if kind == .known(.undone) { return undoes.first.map { .additional(event: $0) } }
            return .additional(event: id)
        }
        guard let scheduled else { return nil }
        guard let schedule else { return .asNeeded(medication: medication, slot: scheduled) }
        return .occurrence(schedule: schedule, scheduled: scheduled)
    }

    /// Returns true when one device recorded both; where one of them says no more than a name,
    /// equal names are one device.
    func isSameDevice(as other: DoseEvent) -> Bool {
        if let witness, let known = other.witness { return witness == known }
        return device != nil && device == other.device
    }

    /// The identifier of an event: the UTC month of an instant, and what names the intent.
    package static func id(intent: String, at instant: Instant) -> RecordID? {
        RecordID(instant.description.prefix(7) + "/" + intent)
    }
}
