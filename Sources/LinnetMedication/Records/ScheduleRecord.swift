package import LinnetCRDT

/// A schedule as it is stored; `MedicationBook` joins it with its earlier timings.
package struct ScheduleRecord: Equatable, Sendable {
    /// Its identifier.
    package let id: RecordID
    /// The medication that it is for.
    package let medication: RecordID
    /// The timing, which says when doses are due; nil when only a newer version can read it.
    package var timing: Timing?
    /// True when it makes doses due at present.
    package var isActive: Bool
    /// The first day of doses, in the timing's reference zone.
    package var startDay: Day?
    /// The last day of doses, in the timing's reference zone.
    package var endDay: Day?

    /// Joins the parts.
    package init(
        id: RecordID, medication: RecordID, timing: Timing?, isActive: Bool = true,
        startDay: Day? = nil, endDay: Day? = nil
    ) {
        self.id = id
        self.medication = medication
        self.timing = timing
        self.isActive = isActive
        self.startDay = startDay
        self.endDay = endDay
    }

    /// Reads a record of the collection; nil when it names no medication.
    package init?(_ record: StoredRecord) {
        guard let medication = record.record(1) else { return nil }
        self.init(
            id: record.id, medication: medication, timing: ScheduleRecord.timing(of: record),
            isActive: record.flag(3) ?? true, startDay: record.day(4), endDay: record.day(5))
    }

    private static func timing(of record: StoredRecord) -> Timing? {
        guard let times = record.text(2), let zone = record.text(2, member: 2) else { return nil }
        let days = record.whole(2, member: 1) ?? 0
        guard let bits = UInt8(exactly: days) else { return nil }
        do throws(MedicationError) {
            var shift: GradualShift?
            if let text = record.text(2, member: 3) { shift = try GradualShift(reading: text) }
            return try Timing(
                pattern: try Pattern(reading: times), daysOfWeek: DaysOfWeek(rawValue: bits),
                referenceZone: zone, shift: shift, since: record.instant(2, member: 4),
                adjustment: record.text(2, member: 5).flatMap { RecordID($0) })
        } catch {
            return nil
        }
    }

    /// The change that sets the timing of a schedule, all of it at once.
    package static func change(to timing: Timing) -> Change {
        let values: [Value] = [
            .text(timing.pattern.text),
            timing.daysOfWeek.isEmpty ? .null : .int(Int64(timing.daysOfWeek.rawValue)),
            .text(timing.referenceZone), .optional(timing.shift?.text), .optional(timing.since),
            .optional(timing.adjustment?.description),
        ]
        return .set(FieldWrite(2, members: values.enumerated().map { ($0.offset, $0.element) }))
    }
}
