import Linnet
import LinnetAPI
import LinnetControl

/// `linnet med`: plans medicines, records doses and shows the day of someone who takes them.
enum MedCommand {
    /// One thing that `linnet med` does.
    struct Action: Sendable {
        /// The word that names the action.
        let name: String
        /// The words that follow the name.
        let words: String
        /// The deed, in a few words.
        let summary: String
        /// The options of the action, beside those of every action.
        let options: [String]
        /// Carries the action out.
        let run: @Sendable (MedSession) async throws(ControlFailure) -> Void
    }

    static let command = Command(
        "med", words: "ACTION [MEDICATION]",
        summary: "Medicines: plan them, log doses, see the day, its stocks and alerts.",
        details: details, options: options,
        example: "med add Metformin --amount 500 --unit mg --times 08:00,20:00 --stock 30",
        run: run)

    /// All actions, in the order in which help lists them.
    static let actions: [Action] =
        MedMedicines.actions + MedDoses.actions + MedViews.actions
        + [MedTotals.action, MedReminding.action, MedTravel.action, MedReport.action]

    private static let details = """
        Actions:
        \(actions.map(line).joined(separator: "\n"))

        MEDICATION is a name (with the strength, where several have that name), the beginning of
        an identifier, or words that fit only one medicine. TIME is 2026-11-21T08:00 or 08:00 in
        the zone, or a UTC time that ends with Z. 'take' records the dose nearest in time, at most
        an hour early or late; otherwise --dose says which one, or --additional that it is an extra
        one. A second tap, a repeated call with the same --intent, and the same tap on two devices
        count as one dose.
        """

    private static func line(_ action: Action) -> String {
        let usage = [action.name, action.words].filter { !$0.isEmpty }.joined(separator: " ")
        let gap = String(repeating: " ", count: max(1, 27 - usage.count))
        return "  \(usage)\(gap)\(action.summary)"
    }

    private static let options: [Option] = [
        Option("at", "TIME", "ask about this time, or say when it happened; now if not given"),
        Option("zone", "ZONE", "your time zone, such as Europe/Berlin; the system's if not given"),
        Intent.option,
        Option("name", "TEXT", "edit: another name"),
        Option("generic", "TEXT", "add, edit: the active ingredient"),
        Option("amount", "N", "add, edit: how much at once"),
        Option("unit", "UNIT", "add, edit: mg, g, ml, units, drops, puffs, tablets, capsules"),
        Option("form", "FORM", "add, edit: tablet, capsule, liquid, injection, cream, patch, ..."),
        Option("route", "ROUTE", "add, edit: oral, topical, inhaled, ..."),
        Option(
            "frequency", "TEXT", "add, edit: '2 times a day', 'every 8 hours', 'as needed', ..."),
        Option("start", "DATE", "add, edit: the first day"),
        Option("end", "DATE", "add, edit: the last day"),
        Option("instructions", "TEXT", "add, edit: how to take it"),
        Option("tag", "TEXT", repeats: true, "add, edit: a word to find it by"),
        Option("no-tag", "TEXT", repeats: true, "edit: remove such a word"),
        Option("prescription", "yes|no", "add, edit: whether a prescription is needed"),
        Option("package", "N", "add, edit: how many a package holds"),
        Option("expires", "DATE", "add, edit: the day after which it is not to be used"),
        Option("minimum", "N", "add, edit: the stock at which to buy more"),
        Option("max-per-day", "N", "add, edit: how many doses at most within any 24 hours"),
        Option("another", nil, "add, edit, restore: another medicine with a name in use"),
        Option("stock", "N", "add: how much there is"),
        Option("times", "HH:MM,...", "add, edit: times of day; a label may follow each"),
        Option("every", "HOURS", "add, edit: every N hours, instead of times"),
        Option("days", "mon,tue,...", "add, edit: days of the week; all if not given"),
        Option("reference-zone", "ZONE", "add, edit: the zone that the times are meant in"),
        Option("schedule", "ID", "edit, travel: which one, where there are several"),
        Option("dose", "TIME", "take, skip, snooze, undo: when the dose was due"),
        Option("additional", nil, "take: an extra dose, on purpose"),
        Option(
            "reason", "REASON", "skip: sideEffects, forgot, outOfMedication, doctorAdvised, ..."),
        Option("note", "TEXT", "take, skip, snooze, undo: what to remember"),
        Option("count", "N", "refill, recount: how many"),
        Option("day", "DATE", "today: another day"),
        Option("from", "DATE", "history, adherence, report: the first day"),
        Option("to", "DATE", "history, adherence, report: the last day"),
        Option("before", "MINUTES", "remind: how long before a dose; 5 if not given"),
        Option("limit", "N", "remind: how many reminders are planned; 64 if not given"),
        Option("all", nil, "remind: the whole plan; list: stopped ones as well"),
        Option("strategy", "NAME", "travel: keepLocalTime, keepHomeTime, gradualShift or custom"),
        Option("step", "MINUTES", "travel: how far a gradual shift moves a day; 60 if not given"),
        Option("output", "FILE", "report: where to, ending in .html, .csv, .txt or .json"),
    ]

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        guard let name = invocation.arguments.words.first else {
            throw .usage("missing argument ACTION: \(names.joined(separator: ", "))")
        }
        guard let action = actions.first(where: { $0.name == name }) else {
            let hint = NearMiss.best(for: name, among: names).map { "did you mean '\($0)'?" }
            throw .usage(
                "there is no action '\(TerminalText.neutral(name))'; "
                    + (hint ?? names.joined(separator: ", ")))
        }
        let given = invocation.arguments
        let common = ["at", "zone", "intent"] + Option.common.map(\.name)
        for option in options where given.has(option.name) {
            guard common.contains(option.name) || action.options.contains(option.name) else {
                throw .usage("--\(option.name) does not belong to 'med \(name)'")
            }
        }
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let session = try await MedSession(invocation, gateway)
            session.tellWhatIsMissing()
            session.tellMissingZones()
            try await action.run(session)
        }
    }

    private static var names: [String] { actions.map(\.name) }
}
