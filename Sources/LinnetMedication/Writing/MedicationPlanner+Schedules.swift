import LinnetCRDT
import LinnetWire

extension MedicationPlanner {
    /// The number of days ahead in which schedules of one medication are compared.
    static let comparedDays: Int64 = 14

    /// Other times for a schedule, or a first schedule.
    func reschedule(
        _ id: RecordID, _ draft: TimingDraft, _ named: RecordID?
    ) throws(MedicationError) -> [Write] {
        let active = book.schedules(of: id).filter { $0.isActive && $0.timing != nil }
        let schedule: ScheduleRecord
        if let named {
            guard let found = active.first(where: { $0.id == named }) else {
                throw .invalid(.schedule, .exists)
            }
            schedule = found
        } else if let only = active.first {
            guard active.count == 1 else {
                throw .invalid(.schedule, .unambiguous(active.map(\.id.description)))
            }
            schedule = only
        } else {
            let made = try newTiming(draft, over: nil)
            return [try newSchedule(intent, of: id, made)]
        }
        return try adjust(schedule, draft)
    }

    private func adjust(
        _ schedule: ScheduleRecord, _ draft: TimingDraft
    ) throws(MedicationError) -> [Write] {
        let adjustment = try eventID(at: now)
        // A retry: the adjustment has been made.
        if book.adjustments[adjustment] != nil { return [] }
        let made = try newTiming(draft, over: schedule.timing)
        let isSettled = book.histories[schedule.id]?.unsettled.isEmpty ?? true
        if isSettled, let old = schedule.timing, old.pattern == made.pattern,
            old.daysOfWeek == made.daysOfWeek, old.referenceZone == made.referenceZone
        {
            return []
        }
        try checkCollisions(
            Schedule(id: schedule.id, medication: schedule.medication, timing: made))
        guard let known = book.schedules[schedule.id] else { throw .invalid(.schedule, .exists) }
        return adjusting(
            try Adjustment.editing(
                known, to: made, id: adjustment, at: now, logged: lastLogged(schedule.id),
                zones: zones))
    }

    /// The writes of an adjustment: the schedule's timing and its entry in the log.
    func adjusting(_ adjustment: Adjustment) -> [Write] {
        var adjustment = adjustment
        adjustment.settles = (book.histories[adjustment.schedule]?.unsettled ?? []).map(\.id)
        return [
            Write(
                Schema.schedule.id, adjustment.schedule,
                [ScheduleRecord.change(to: adjustment.after)]),
            Write(inserting: adjustment.record(device: device)),
        ]
    }

    /// The latest scheduled instant of a schedule of which something was recorded, if it is near.
    func lastLogged(_ schedule: RecordID) -> Instant? {
        let day = CivilTime.dayMilliseconds
        let range = now..<now.advanced(byMilliseconds: 2 * day)
        return book.ledger.doses(in: range).compactMap { dose -> Instant? in
            guard case .occurrence(schedule, let scheduled) = dose.key, dose.outcome.isRecorded
            else { return nil }
            return scheduled
        }.max()
    }

    /// A schedule's record; throws when it makes a dose due together with another one's.
    func newSchedule(
        _ id: RecordID, of medication: RecordID, _ timing: Timing
    ) throws(MedicationError) -> Write {
        typealias Fields = Schema.ScheduleFields
        try checkCollisions(Schedule(id: id, medication: medication, timing: timing))
        return Write(
            Schema.schedule.id, id,
            [
                .set(FieldWrite(Fields.medication, .text(medication.description))),
                ScheduleRecord.change(to: timing), .set(FieldWrite(Fields.isActive, .bool(true))),
            ])
    }

    /// Returns the timing that was entered over the one that there was; doses are due from now on.
    func newTiming(
        _ draft: TimingDraft, over old: Timing?
    ) throws(MedicationError) -> Timing {
        let pattern: Pattern
        if let times = draft.times {
            pattern = .times(try self.times(times))
        } else if let interval = draft.interval {
            pattern = .interval(hours: interval.hours, anchor: interval.anchor)
        } else if let old {
            pattern = old.pattern
        } else {
            throw .invalid(.times, .notEmpty)
        }
        let reference = draft.referenceZone ?? old?.referenceZone ?? zone
        _ = try known(reference)
        var days = draft.daysOfWeek ?? old?.daysOfWeek ?? .everyDay
        if case .interval = pattern, draft.daysOfWeek == nil { days = .everyDay }
        do throws(MedicationError) {
            // A way to older times ends with new ones.
            return try Timing(
                pattern: pattern, daysOfWeek: days, referenceZone: reference, since: now)
        } catch {
            throw .invalid(.times, .timeOfDay)
        }
    }

    /// Throws when a prescription says that doses are due which no schedule makes due, or others
    /// than these do. No times are invented: a person gives them.
    func check(_ frequency: Frequency, _ timings: [Timing]) throws(MedicationError) {
        let isSo =
            switch frequency {
            case .timesADay(let count):
                timings.map(\.times.count).reduce(0, +) == count
            case .everyHours(let hours):
                timings.contains {
                    if case .interval(hours, _) = $0.pattern { true } else { false }
                }
                    || (24 % hours == 0 && timings.map(\.times.count).reduce(0, +) == 24 / hours)
            case .customTimes: !timings.isEmpty
            case .asNeeded, .unknown: true
            }
        guard isSo else { throw .invalid(.frequency, .scheduled(frequency)) }
    }

    private func times(
        _ times: [(hour: Int, minute: Int, label: String)]
    ) throws(MedicationError) -> [DoseTime] {
        guard !times.isEmpty else { throw .invalid(.times, .notEmpty) }
        var made: [DoseTime] = []
        for time in times {
            do throws(MedicationError) {
                made.append(
                    try DoseTime(hour: time.hour, minute: time.minute, label: time.label))
            } catch {
                throw .invalid(.times, .timeOfDay)
            }
        }
        return made
    }

    private func checkCollisions(_ schedule: Schedule) throws(MedicationError) {
        let window = MedicationPlanner.comparedDays * CivilTime.dayMilliseconds
        let range = now..<now.advanced(byMilliseconds: window)
        let due = try schedule.occurrences(in: range, zones: zones).map(\.scheduled)
        for other in book.schedules(of: schedule.medication)
        where other.isActive && other.id != schedule.id {
            guard let resolved = book.schedules[other.id] else { continue }
            let instants = try resolved.occurrences(in: range, zones: zones).map(\.scheduled)
            if instants.contains(where: { due.contains($0) }) {
                throw .invalid(.times, .noCollision(with: other.id.description))
            }
        }
    }
}
