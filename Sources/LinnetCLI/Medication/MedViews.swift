import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire

/// Shows medicines, doses, history, adherence and alerts.
enum MedViews {
    static let actions: [MedCommand.Action] = [
        MedCommand.Action(
            name: "list", words: "[WORDS]", summary: "the medicines, or those that words fit",
            options: ["all"], run: list),
        MedCommand.Action(
            name: "show", words: "MEDICATION", summary: "all about a medicine", options: [],
            run: show),
        MedCommand.Action(
            name: "today", words: "", summary: "the doses of the day", options: ["day"],
            run: today),
        MedCommand.Action(
            name: "next", words: "", summary: "the dose that comes next", options: [], run: next),
        MedCommand.Action(
            name: "history", words: "[MEDICATION]", summary: "what was recorded",
            options: ["from", "to"], run: history),
        MedCommand.Action(
            name: "adherence", words: "", summary: "how well doses were taken",
            options: ["from", "to"], run: adherence),
        MedCommand.Action(
            name: "alerts", words: "", summary: "what you should know", options: [], run: alerts),
    ]

    private static func list(_ session: MedSession) async throws(ControlFailure) {
        let query = session.arguments.words.dropFirst().joined(separator: " ")
        let found = session.book.search(query).filter {
            $0.isActive || session.arguments.has("all")
        }
        if session.output.isJSON {
            for medication in found {
                session.output.result(MedJSON.medication(medication, session), "")
            }
            return
        }
        let rows = found.map { medication in
            [
                TerminalText.neutral(session.book.title(of: medication)),
                TerminalText.neutral(medication.form?.text ?? ""),
                session.book.schedules(of: medication.id).filter(\.isActive)
                    .compactMap(\.timing).map { MedText.text($0) }.joined(separator: "; "),
                session.book.stockText(of: medication.id).map { "stock \($0)" } ?? "",
                medication.isActive ? "" : "stopped",
            ]
        }
        let nothing = session.book.isInStep ? "no medicines" : "no medicines known yet"
        session.output.say(rows.isEmpty ? nothing : MedText.table(rows))
    }

    private static func show(_ session: MedSession) async throws(ControlFailure) {
        let medication = try session.medication(orDeleted: true)
        var rows = [["id", medication.id.description], ["name", medication.name]]
        func add(_ name: String, _ text: String?) {
            if let text, !text.isEmpty { rows.append([name, text]) }
        }
        add("generic name", medication.genericName)
        add("dosage", medication.dosage?.description)
        add("form", medication.form?.text)
        add("route", medication.route?.text)
        add("frequency", medication.frequency?.text)
        add("start", medication.startDay?.description)
        add("end", medication.endDay?.description)
        add("instructions", medication.instructions)
        add("tags", medication.tags.joined(separator: ", "))
        add("prescription", medication.requiresPrescription.map { $0 ? "yes" : "no" })
        add("package", medication.packageSize.map { "\($0)" })
        add("expires", medication.expirationDay?.description)
        let stock = try MedSession.asked { () throws(MedicationError) in
            try session.book.stock(of: medication.id, now: session.now, zones: session.zones)
        }
        add(
            "stock",
            stock.map { $0.text + ($0.daysLeft.map { ", \(Plural.of($0, "day")) left" } ?? "") }
                ?? session.book.stockText(of: medication.id))
        add("minimum", medication.minimumStock?.description)
        add("maximum", medication.maximumPerDay.map { "\(Plural.of($0, "dose")) in 24 hours" })
        for schedule in session.book.schedules(of: medication.id) {
            add(
                schedule.isActive ? "schedule" : "ended schedule",
                schedule.timing.map { MedText.text($0) } ?? "written by a newer version")
        }
        for dispute in session.book.disputes where dispute.medication == medication.id {
            add("decided apart", MedTravel.text(dispute, session))
        }
        let isDeleted = session.book.deleted[medication.id] != nil
        add("state", isDeleted ? "deleted" : medication.isActive ? "active" : "stopped")
        rows = rows.map { [$0[0], TerminalText.neutral($0[1])] }
        session.output.result(MedJSON.medication(medication, session), MedText.table(rows))
    }

    private static func today(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let today = session.zone.local(at: session.now).day
        let day =
            try session.arguments.value("day").map { (text) throws(ControlFailure) in
                try MedTime.day(text, "day")
            } ?? today
        let lines = try MedSession.asked { () throws(MedicationError) in
            try session.book.lines(
                of: day, now: session.now, zone: session.zone, zones: session.zones)
        }
        let progress = DayProgress(lines)
        let isInStep = session.book.isInStep
        let count =
            isInStep ? "\(progress.taken) of \(progress.due) taken" : "due doses are not known yet"
        session.output.result(
            [
                "day": .text(day.description), "zone": .text(session.zone.name),
                "taken": .integer(progress.taken), "due": isInStep ? .integer(progress.due) : .null,
                "notKnown": .integer(progress.notKnown),
                "isInStep": .bool(isInStep),
                "doses": .array(lines.map { MedJSON.line($0, session.time) }),
            ],
            "\(day) (\(session.zone.name)): \(count)"
                + (progress.notKnown > 0 ? ", \(progress.notKnown) not known here" : "") + "\n"
                + MedText.table(lines.map { row($0, session.time) }))
    }

    /// Returns a dose as a row of a table.
    static func row(_ line: DoseLine, _ time: MedTime) -> [String] {
        var status = line.status.word
        if case .taken(let at, _) = line.status { status += " at \(time.clock(at))" }
        if case .snoozed(let until) = line.status { status += " until \(time.clock(until))" }
        if line.witnesses > 1 { status += ", \(line.witnesses) witnesses" }
        if !line.isScheduled { status += ", not scheduled" }
        return [
            "  " + time.clock(line.scheduled), MedText.name(line),
            TerminalText.neutral(line.label), status,
        ]
    }

    private static func next(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let coming = try MedSession.asked { () throws(MedicationError) in
            try session.book.coming(now: session.now, zones: session.zones).first
        }
        guard let coming else {
            let isKnown = session.book.isInStep
            return session.output.result(
                ["dose": .null, "isInStep": .bool(isKnown)],
                isKnown ? "nothing is due within a week" : "due doses are not known yet")
        }
        session.output.result(
            MedJSON.line(coming, session.time),
            "\(MedText.name(coming)) at \(session.time.text(coming.scheduled)), "
                + "\(session.time.distance(coming.scheduled)), \(coming.status.word)")
    }

    private static func history(_ session: MedSession) async throws(ControlFailure) {
        let wanted =
            session.arguments.words.count > 1 ? try session.medication(orDeleted: true).id : nil
        let days = try session.days(usual: 30)
        let events = session.book.ledger.events(in: session.range(days))
            .filter { wanted == nil || $0.medication == wanted }
        let since = session.book.coverage.heldSince(days)
        if let since {
            session.output.note("what was recorded before \(since) is not held here", .warning)
        }
        if session.output.isJSON {
            for event in events { session.output.result(MedJSON.event(event, session), "") }
            return
        }
        let rows = events.map { event in
            [
                session.time.text(event.at), event.kind.text,
                MedText.content(event, session.book),
                event.schedule == nil
                    ? "" : event.scheduled.map { "due \(session.time.text($0))" } ?? "",
                TerminalText.neutral(event.device ?? ""),
                TerminalText.neutral(
                    [event.reason?.text, event.note].compactMap { $0 }.joined(separator: ": ")),
            ]
        }
        let nothing = since.map { "nothing was recorded since \($0)" } ?? "nothing was recorded"
        session.output.say(rows.isEmpty ? nothing : MedText.table(rows))
    }

    private static func adherence(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let days = try session.days(usual: 7)
        let found = try MedSession.asked { () throws(MedicationError) in
            try session.book.adherence(
                over: days, now: session.now, zone: session.zone, zones: session.zones)
        }
        session.output.result(
            MedJSON.adherence(found, days), MedText.adherence(found, days))
        for disagreement in try MedSession.asked({ () throws(MedicationError) in
            try session.book.disagreements(now: session.now, zones: session.zones)
        }) {
            session.output.note(MedTotals.text(disagreement), .warning)
        }
    }

    private static func alerts(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        let alerts = try MedSession.asked { () throws(MedicationError) in
            try session.book.alerts(
                now: session.now, zone: session.zone, zones: session.zones)
        }
        for alert in alerts {
            session.output.result(
                [
                    "alert": .text(alert.word),
                    "medication": MedJSON.optional(alert.medication?.description),
                    "text": .text(text(alert, session)),
                ], text(alert, session))
        }
        for dispute in session.book.disputes {
            let name = session.book.medication(dispute.medication).map(MedText.name) ?? ""
            let text = "decided apart: \(name), \(MedTravel.text(dispute, session))"
            session.output.result(
                [
                    "alert": "superseded", "medication": .text(dispute.medication.description),
                    "text": .text(text),
                ], text)
        }
        if alerts.isEmpty, session.book.disputes.isEmpty {
            session.output.note(
                session.book.isInStep ? "no alerts" : "no alerts in what is known so far", .info)
        }
    }

    /// Returns an alert about a stock or a last day as a sentence; nothing about any other.
    static func text(_ alert: MedicationAlert, of name: String) -> String {
        switch alert {
        case .lowStock(let view):
            let days = view.daysLeft.map { ", \(Plural.of($0, "day")) left" } ?? ""
            return "low stock: \(name), \(view.text)"
                + (view.missing == nil ? " left\(days)" : "; count again")
        case .expiring(_, let day, let isExpired):
            return isExpired ? "expired: \(name) on \(day)" : "expiring: \(name) on \(day)"
        case .missed, .possibleDoubleDose, .aboveMaximum, .unknown: return ""
        }
    }

    /// Returns an alert as a sentence.
    static func text(_ alert: MedicationAlert, _ session: MedSession) -> String {
        let name = alert.medication.flatMap { session.book.medication($0) }.map(MedText.name) ?? ""
        switch alert {
        case .lowStock, .expiring: return text(alert, of: name)
        case .missed(let line):
            return "missed: \(MedText.name(line)) at \(session.time.text(line.scheduled))"
        case .possibleDoubleDose(let id, let doses):
            return "possible double dose: " + MedText.list(doses, of: id, session)
        case .aboveMaximum(let id, let maximum, let doses):
            return "above the maximum: \(Plural.of(doses.count, "dose")) within 24 hours, "
                + "at most \(maximum): " + MedText.list(doses, of: id, session)
        case .unknown(_, let record, let words):
            return "written by a newer version: "
                + TerminalText.neutral("\(record) (\(words.joined(separator: ", ")))")
        }
    }
}

extension MedSession {
    /// Reads the days from --from to --to; without them the last `usual` days, today included.
    func days(usual: Int64) throws(ControlFailure) -> ClosedRange<Day> {
        let last =
            try arguments.value("to").map { (text) throws(ControlFailure) in
                try MedTime.day(text, "to")
            } ?? zone.local(at: now).day
        let first =
            try arguments.value("from").map { (text) throws(ControlFailure) in
                try MedTime.day(text, "from")
            } ?? last.advanced(byDays: 1 - usual)
        guard first <= last else { throw .usage("--from must not be after --to") }
        return first...last
    }

    /// Returns the instants from the start of the first day to the end of the last.
    func range(_ days: ClosedRange<Day>) -> Range<Instant> {
        let end = zone.start(of: days.upperBound.advanced(byDays: 1))
        return zone.start(of: days.lowerBound)..<end
    }
}
