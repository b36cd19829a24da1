import LinnetMedication

/// The facts about medicines at a moment, as far as reminders ask for them.
struct ReminderFacts {
    /// The notices whose time has come, the latest of a key last.
    let due: [ReminderNotice]
    /// The keys of doses that are neither taken nor skipped, within a day before and after.
    let openDoses: Set<String>
    /// The keys of doses that were put off and whose time has not come again.
    let putOff: Set<String>
    /// The moment at which the next reminder is due; nil when none is planned.
    let next: Instant?

    init(
        _ book: MedicationBook, now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) {
        let plan = try book.reminders(now: now, zones: zones)
        let alerts = try book.alerts(now: now, zone: zone, zones: zones)
        func notice(_ dose: DoseLine, _ kind: Reminder.Kind, _ fire: Instant?) -> ReminderNotice {
            ReminderNotice(dose, kind, fire: fire, events: book.eventCount(of: dose))
        }
        let due = plan.due(at: now)
        var notices = due.filter { $0.kind != .missed }.map { notice($0.dose, $0.kind, $0.fire) }
        // An alert stays for a day, a reminder for a quarter of an hour: who comes home to a
        // machine that slept learns of what was missed.
        for case .missed(let dose) in alerts { notices.append(notice(dose, .missed, nil)) }
        notices += alerts.compactMap { ReminderNotice($0) }
        self.due = notices
        let day = CivilTime.dayMilliseconds
        let range = now.advanced(byMilliseconds: -day)..<now.advanced(byMilliseconds: day)
        openDoses = Set(
            try book.lines(in: range, now: now, zones: zones)
                .filter { $0.isScheduled && !$0.status.isTaken && !$0.status.isSkipped }
                .map { notice($0, .upcoming, nil).key })
        let ahead = plan.reminders.filter { $0.fire > now }
        putOff = Set(
            ahead.filter { $0.kind == .snoozed }.map { notice($0.dose, .snoozed, nil).key })
        next = ahead.first?.fire
    }
}

extension MedicationBook {
    fileprivate func eventCount(of dose: DoseLine) -> Int {
        guard let known = ledger.dose(dose.key) else { return 0 }
        return known.taken.count + known.skipped.count + known.snoozed.count
            + known.cancelled.count + known.undone.count
    }
}
