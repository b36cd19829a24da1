import LinnetCRDT

/// The notifications that are to be set: a function of records, time and zones alone.
public struct ReminderPlan: Equatable, Sendable {
    /// The number of notifications that a phone keeps waiting at once.
    public static let usualLimit = 64
    /// The minutes before a dose at which its reminder is shown, unless the person chose otherwise.
    public static let usualMinutesBefore: Int64 = 5
    /// The time after its instant in which a reminder is still worth showing: 15 minutes.
    public static let dueMilliseconds: Int64 = 900_000

    /// The soonest reminders, by when they are shown.
    public let reminders: [Reminder]

    /// Those whose time has come; they stay here until `dueMilliseconds` after their instant.
    public func due(at now: Instant) -> [Reminder] { reminders.filter { $0.fire <= now } }
}

extension MedicationBook {
    /// The reminders of the coming week, the soonest `limit` of them.
    ///
    /// Each dose that is neither taken nor skipped has one some minutes before it, or after the
    /// time to which it was put off, and one when it is missed. What a device recorded ends them.
    public func reminders(
        now: Instant, zones: ZoneTable, limit: Int = ReminderPlan.usualLimit,
        minutesBefore: Int64 = ReminderPlan.usualMinutesBefore
    ) throws(MedicationError) -> ReminderPlan {
        let since = now.advanced(byMilliseconds: -MedicationAlert.recentMilliseconds)
        let until = now.advanced(
            byMilliseconds: MedicationBook.planDays * CivilTime.dayMilliseconds)
        let oldest = now.advanced(byMilliseconds: -ReminderPlan.dueMilliseconds)
        var reminders: [Reminder] = []
        for line in try lines(in: since..<until, now: now, zones: zones)
        where line.isScheduled && !line.status.isTaken && !line.status.isSkipped
            && line.status != .unknown
        {
            reminders += self.reminders(of: line, minutesBefore: minutesBefore)
        }
        reminders = reminders.filter { $0.fire > oldest }.sorted { left, right in
            left.fire == right.fire
                ? DoseLine.precedes(left.dose, right.dose) : left.fire < right.fire
        }
        return ReminderPlan(reminders: Array(reminders.prefix(max(0, limit))))
    }

    private func reminders(of line: DoseLine, minutesBefore: Int64) -> [Reminder] {
        var (kind, first) = (Reminder.Kind.upcoming, line.scheduled)
        first = first.advanced(byMinutes: -minutesBefore)
        var missed = line.scheduled.advanced(byMilliseconds: DoseStatus.missedMilliseconds)
        if let put = ledger.dose(line.key)?.snoozed.last {
            kind = .snoozed
            first = put.at.advanced(byMilliseconds: DoseStatus.snoozeMilliseconds)
            missed = max(
                missed, first.advanced(byMilliseconds: DoseStatus.missedMilliseconds))
        }
        return [
            Reminder(kind: kind, fire: first, dose: line),
            Reminder(kind: .missed, fire: missed, dose: line),
        ]
    }
}
