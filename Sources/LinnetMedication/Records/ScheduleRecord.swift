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
    package init?(_ record: RecordView) {
        typealias Fields = Schema.ScheduleFields
        guard let medication = record.record(Fields.medication) else { return nil }
        self.init(
            id: record.id, medication: medication, timing: ScheduleRecord.timing(of: record),
            isActive: record.flag(Fields.isActive) ?? true,
            startDay: record.day(Fields.startDate), endDay: record.day(Fields.endDate))
    }

    private static func timing(of record: RecordView) -> Timing? {
        typealias Members = Schema.TimingMembers
        let timing = Schema.ScheduleFields.timing
        guard let times = record.text(timing, member: Members.times),
            let zone = record.text(timing, member: Members.referenceTimeZone)
        else { return nil }
        let days = record.whole(timing, member: Members.daysOfWeek) ?? 0
        guard let bits = UInt8(exactly: days) else { return nil }
        do throws(MedicationError) {
            var shift: GradualShift?
            if let text = record.text(timing, member: Members.shift) {
                shift = try GradualShift(reading: text)
            }
            return try Timing(
                pattern: try Pattern(reading: times), daysOfWeek: DaysOfWeek(rawValue: bits),
                referenceZone: zone, shift: shift,
                since: record.instant(timing, member: Members.since),
                adjustment: record.text(timing, member: Members.adjustment).flatMap {
                    RecordID($0)
                })
        } catch {
            return nil
        }
    }

    /// The change that sets the timing of a schedule, all of it at once.
    package static func change(to timing: Timing) -> Change {
        typealias Members = Schema.TimingMembers
        let days = timing.daysOfWeek
        return .set(
            FieldWrite(
                Schema.ScheduleFields.timing,
                members: [
                    (Members.times, .text(timing.pattern.text)),
                    (Members.daysOfWeek, days.isEmpty ? .null : .int(Int64(days.rawValue))),
                    (Members.referenceTimeZone, .text(timing.referenceZone)),
                    (Members.shift, .optional(timing.shift?.text)),
                    (Members.since, .optional(timing.since)),
                    (Members.adjustment, .optional(timing.adjustment?.description)),
                ]))
    }
}
