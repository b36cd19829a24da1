public import LinnetCRDT
import LinnetWire

/// One dose in a list: what a person sees of it at a given time.
public struct DoseLine: Equatable, Sendable {
    /// The key of the dose.
    public let key: DoseKey
    /// The medication.
    public let medication: RecordID
    /// The name of the medication; its identifier when nothing else is known.
    public let name: String
    /// The dosage, such as `500 mg`; nil when nobody said.
    public let dosage: Dosage?
    /// The form in which it comes.
    public let form: Term<DoseForm>?
    /// The instant at which it is due; of a dose without a schedule that at which it was taken.
    public let scheduled: Instant
    /// The label of its time of day; often empty.
    public let label: String
    /// The status of the dose now.
    public let status: DoseStatus
    /// The number of devices that recorded that it was taken.
    public let witnesses: Int
    /// True when an event says what name, dosage and form were; else they are those of today's
    /// record.
    public let isAsRecorded: Bool

    /// True when a schedule made it due, so that it counts for adherence.
    public var isScheduled: Bool { if case .occurrence = key { true } else { false } }
}

extension MedicationBook {
    /// All doses that are due within a range, and what was recorded without having been due, by
    /// time, name and identifier.
    ///
    /// Of what is stopped or deleted only days before it ended and what was recorded are shown.
    /// A schedule in a zone whose rules are missing makes nothing due here; `missingZones` names
    /// it. Throws `rangeTooLong`.
    public func lines(
        in range: Range<Instant>, now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> [DoseLine] {
        var lines: [DoseLine] = []
        var shown: [DoseMark] = []
        for schedule in schedules.values {
            do throws(MedicationError) {
                let own = try self.lines(of: schedule, in: range, now: now, zones: zones)
                lines += own.lines
                shown += own.shown
            } catch .unknownZone {
                // The log shows below the doses of it that were recorded.
                continue
            }
        }
        let known = OrderedSet(shown)
        for dose in ledger.doses(in: range, isNeeded: { !known.contains($0) }) {
            if dose.outcome.isRecorded { lines.append(line(dose, now: now)) }
        }
        return lines.sorted { DoseLine.precedes($0, $1) }
    }

    /// The doses of one schedule, and which of them something was recorded of.
    private func lines(
        of schedule: Schedule, in range: Range<Instant>, now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> (lines: [DoseLine], shown: [DoseMark]) {
        let reach = 3 * Schedule.claimMinutes
        let wide =
            range.lowerBound.advanced(
                byMinutes: -reach)..<range.upperBound.advanced(byMinutes: reach)
        let logged = ledger.instants(of: schedule.id, in: wide)
        var lines: [DoseLine] = []
        var shown: [DoseMark] = []
        for occurrence in try schedule.occurrences(in: range, zones: zones, logged: logged) {
            let summary = ledger.summary(of: occurrence)
            if summary.outcome == .open, try !isDue(occurrence, of: schedule, zones: zones) {
                continue
            }
            lines.append(line(of: occurrence, summary, now: now))
            if summary.outcome.isRecorded { shown.append(DoseMark(occurrence)) }
        }
        return (lines, shown)
    }

    /// Returns the status of a dose, as far as the events that are held here say so.
    private func status(
        _ outcome: DoseOutcome, scheduled: Instant, now: Instant
    ) -> DoseStatus {
        let status = DoseStatus(outcome, scheduled: scheduled, now: now)
        guard status == .missed || status == .due else { return status }
        return coverage.knows(scheduled, now: now) ? status : .unknown
    }

    /// Returns true when a dose of which nothing was recorded counts as due.
    private func isDue(
        _ occurrence: Occurrence, of schedule: Schedule, zones: ZoneTable
    ) throws(MedicationError) -> Bool {
        guard let record = scheduleRecords[schedule.id],
            let medication = medication(schedule.medication)
        else { return false }
        let isActive =
            record.isActive && medication.isActive && deleted[schedule.medication] == nil
        if isActive, medication.startDay == nil, medication.endDay == nil { return true }
        let zone = try zones.zone(named: schedule.timing.referenceZone)
        let day = zone.local(at: occurrence.scheduled).day
        if let start = medication.startDay, day < start { return false }
        if let end = medication.endDay, day > end { return false }
        // On the day itself nobody knows what came before the end.
        if !isActive { return schedule.endDay.map { day < $0 } ?? false }
        return true
    }

    private func line(
        of occurrence: Occurrence, _ summary: DoseSummary, now: Instant
    ) -> DoseLine {
        line(
            .occurrence(schedule: occurrence.schedule, scheduled: occurrence.scheduled), summary,
            of: occurrence.medication, scheduled: occurrence.scheduled, label: occurrence.label,
            now: now)
    }

    private func line(_ dose: Dose, now: Instant) -> DoseLine {
        line(
            dose.key, DoseSummary(dose), of: dose.medication, scheduled: dose.scheduled, label: "",
            now: now)
    }

    private func line(
        _ key: DoseKey, _ summary: DoseSummary, of id: RecordID, scheduled: Instant, label: String,
        now: Instant
    ) -> DoseLine {
        let content = summary.content ?? self.content(of: id)
        return DoseLine(
            key: key, medication: id, name: content.name, dosage: content.dosage,
            form: content.form, scheduled: scheduled, label: label,
            status: self.status(summary.outcome, scheduled: scheduled, now: now),
            witnesses: summary.witnesses, isAsRecorded: summary.content != nil)
    }

    /// Returns the content of a dose of a medication by today's record; its identifier stands for a
    /// name that is not known.
    public func content(of id: RecordID) -> DoseContent {
        medication(id).map { DoseContent($0) }
            ?? DoseContent(name: id.description, dosage: nil, form: nil)
    }
}

extension DoseLine {
    /// The order of lists: time, name, then what tells two doses apart.
    static func precedes(_ left: DoseLine, _ right: DoseLine) -> Bool {
        if left.scheduled != right.scheduled { return left.scheduled < right.scheduled }
        if left.name != right.name { return left.name < right.name }
        return left.key.stockKey < right.key.stockKey
    }
}

extension DoseOutcome {
    /// True when it was taken.
    package var isTaken: Bool { if case .taken = self { true } else { false } }

    /// True when it was taken or left out on purpose.
    package var isRecorded: Bool {
        switch self {
        case .taken, .skipped: true
        case .open, .snoozed: false
        }
    }
}
