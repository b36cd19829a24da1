package import LinnetCRDT

/// A change of a schedule's timing, as the log keeps it.
package struct ScheduleAdjustment: Equatable, Sendable {
    /// The identifier: the UTC month, a slash and the intent.
    package let id: RecordID
    /// The schedule.
    package let schedule: RecordID
    /// The change of zone that it answers; nil for an edit.
    package let timeZoneEvent: RecordID?
    /// How the person decided, as it is stored.
    package let strategy: String
    /// The timing that it replaced; nil when only a newer version can read it.
    package let before: Timing?
    /// The timing that it made.
    package let after: Timing?
    /// When it was decided.
    package let at: Instant
    /// The device on which it was decided.
    package let device: String?

    /// The strategy of a change that has nothing to do with travel.
    package static let edited = "edited"

    /// Joins the parts.
    package init(
        id: RecordID, schedule: RecordID, timeZoneEvent: RecordID?, strategy: String,
        before: Timing?, after: Timing?, at: Instant, device: String?
    ) {
        self.id = id
        self.schedule = schedule
        self.timeZoneEvent = timeZoneEvent
        self.strategy = strategy
        self.before = before
        self.after = after
        self.at = at
        self.device = device
    }

    /// Reads a record of the log; nil when it does not say what became of which schedule when.
    package init?(_ record: StoredRecord) {
        guard let schedule = record.record(1), let at = record.instant(6) else { return nil }
        self.init(
            id: record.id, schedule: schedule, timeZoneEvent: record.record(2),
            strategy: record.text(3) ?? "",
            before: record.text(4).flatMap { ScheduleAdjustment.timing($0) },
            after: record.text(5).flatMap { ScheduleAdjustment.timing($0) },
            at: at, device: record.text(7))
    }

    /// The record of the log.
    package var record: StoredRecord {
        StoredRecord(
            collection: Schema.scheduleAdjustment.id, id: id,
            numbered: [
                .text(schedule.description), .optional(timeZoneEvent?.description),
                .text(strategy), .optional(before?.text), .optional(after?.text),
                .instant(at.milliseconds), .optional(device),
            ])
    }

    private static func timing(_ text: String) -> Timing? {
        do throws(MedicationError) {
            return try Timing(reading: text)
        } catch {
            return nil
        }
    }
}
