import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Prints reminders, and hands them to the desktop where that takes them.
enum MedReminding {
    static let action = MedCommand.Action(
        name: "remind", words: "", summary: "the reminders that are due now",
        options: ["before", "limit", "all"], run: remind)

    private static func remind(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let before = try number(session, "before") ?? Int(ReminderPlan.usualMinutesBefore)
        let limit = try number(session, "limit") ?? ReminderPlan.usualLimit
        let plan = try MedicineDesk.asked { () throws(MedicationError) in
            try session.book.reminders(
                now: session.now, zones: session.zones, limit: limit, minutesBefore: Int64(before))
        }
        let isAll = session.arguments.has("all")
        let shown = isAll ? plan.reminders : plan.due(at: session.now)
        for reminder in shown {
            let isHandedOver = !isAll && !session.output.isJSON
            let isHanded = isHandedOver ? await notify(reminder, session) : false
            session.output.result(
                [
                    "reminder": .text(reminder.id), "kind": .text(reminder.kind.rawValue),
                    "fire": .text(reminder.fire.description),
                    "dose": MedJSON.line(reminder.dose, session.time),
                    "actions": .array(reminder.actions.map { .text($0.rawValue) }),
                    "take": .array(command(reminder.dose).map(JSON.text)),
                ],
                "\(session.time.text(reminder.fire))  \(text(reminder, session))"
                    + (isHanded ? "  (shown on the desktop)" : ""))
        }
        if shown.isEmpty {
            session.output.note(
                session.book.isInStep
                    ? "no reminders now; --all shows those to come"
                    : "reminders are not known yet", .info)
        }
    }

    /// Returns the call that records just this dose as taken, even when it is made much later.
    private static func command(_ dose: DoseLine) -> [String] {
        ["med", "take", dose.medication.description, "--dose", dose.scheduled.description]
    }

    private static func text(_ reminder: Reminder, _ session: MedSession) -> String {
        text(reminder.dose, reminder.kind, session.time)
    }

    /// Returns a reminder of a dose in words.
    static func text(_ dose: DoseLine, _ kind: Reminder.Kind, _ time: MedTime) -> String {
        let (name, clock) = (MedText.name(dose), time.clock(dose.scheduled))
        return switch kind {
        case .upcoming: "\(name) at \(clock)"
        case .snoozed: "\(name), put off from \(clock)"
        case .missed: "missed: \(name) at \(clock)"
        }
    }

    /// The time that the notification service may take, in milliseconds.
    private static let patienceMilliseconds: Int64 = 3_000

    /// Hands a reminder to the desktop's notification service by notify-send(1); returns true when
    /// that took it.
    private static func notify(_ reminder: Reminder, _ session: MedSession) async -> Bool {
        guard Environment.value("DBUS_SESSION_BUS_ADDRESS") != nil,
            let path = Environment.value("PATH")
        else { return false }
        let programs = path.split(separator: ":").map { "\($0)/notify-send" }
        guard let program = programs.first(where: { unsafe access($0, X_OK) == 0 }),
            let child = try? ChildProcess(
                [program, "--app-name=linnet", "--", text(reminder, session)],
                environment: [], output: "/dev/null", error: "/dev/null")
        else { return false }
        let deadline = SystemClock.uptimeMilliseconds() + patienceMilliseconds
        while SystemClock.uptimeMilliseconds() < deadline {
            if let code = child.result() { return code == 0 }
            try? await Task.sleep(for: .milliseconds(20))
        }
        child.signal(SIGTERM)
        return false
    }

    private static func number(
        _ session: MedSession, _ option: String
    ) throws(ControlFailure) -> Int? {
        guard let text = session.arguments.value(option) else { return nil }
        guard let number = Int(text), (0...10_000).contains(number) else {
            throw .usage("--\(option) is a whole number from 0 to 10000")
        }
        return number
    }
}
