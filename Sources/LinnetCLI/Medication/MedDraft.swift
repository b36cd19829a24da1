import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// Reads the options with which a person describes a medicine.
enum MedDraft {
    /// Reads the description; the name of a new medicine comes from the words instead.
    static func read(_ session: MedSession) throws(ControlFailure) -> MedicationDraft {
        let given = session.arguments
        var draft = MedicationDraft()
        draft.name = text(given.value("name"))
        draft.genericName = text(given.value("generic"))
        draft.amount = try edited(given.value("amount")) { (text) throws(ControlFailure) in
            try number(text, "amount")
        }
        draft.unit = text(given.value("unit"))
        draft.form = text(given.value("form"))
        draft.route = text(given.value("route"))
        draft.frequency = try edited(given.value("frequency")) { Frequency($0) }
        draft.startDay = try day(given, "start")
        draft.endDay = try day(given, "end")
        draft.instructions = text(given.value("instructions"))
        draft.addedTags = given.values("tag")
        draft.removedTags = given.values("no-tag")
        draft.requiresPrescription = try edited(given.value("prescription")) {
            (text) throws(ControlFailure) in
            guard ["yes", "no"].contains(text) else {
                throw .usage("--prescription is yes or no")
            }
            return text == "yes"
        }
        draft.packageSize = try edited(given.value("package")) { (text) throws(ControlFailure) in
            guard let size = Int64(text) else {
                throw .usage("--package is a whole number, at most \(Int64.max)")
            }
            return size
        }
        draft.expirationDay = try day(given, "expires")
        draft.minimumStock = try edited(given.value("minimum")) { (text) throws(ControlFailure) in
            try number(text, "minimum")
        }
        draft.maximumPerDay = try edited(given.value("max-per-day")) {
            (text) throws(ControlFailure) in
            guard let count = Int64(text) else {
                throw .usage("--max-per-day is a whole number of doses")
            }
            return count
        }
        draft.isAnother = given.has("another")
        return draft
    }

    /// Reads when doses are due.
    static func timing(_ session: MedSession) throws(ControlFailure) -> TimingDraft {
        let given = session.arguments
        var draft = TimingDraft()
        if let text = given.value("times") {
            guard given.value("every") == nil else {
                throw .usage("--times and --every exclude each other")
            }
            draft.times = try times(text)
        }
        if let text = given.value("every") {
            let most = Timing.maximumIntervalHours
            guard let hours = Int(text), (1...most).contains(hours) else {
                throw .usage("--every is a whole number of hours from 1 to \(most)")
            }
            draft.interval = (hours: hours, anchor: session.now)
        }
        if let text = given.value("days") { draft.daysOfWeek = try days(text) }
        draft.referenceZone = given.value("reference-zone")
        return draft
    }

    /// Reads `08:00 morning,20:00` as hours, minutes and labels.
    static func times(
        _ text: String
    ) throws(ControlFailure) -> [(hour: Int, minute: Int, label: String)] {
        var times: [(hour: Int, minute: Int, label: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ", maxSplits: 1)
            guard let first = words.first, let (hour, minute) = MedTime.clock(String(first)) else {
                throw .usage("--times are times of day, such as 08:00,20:00")
            }
            times.append((hour, minute, words.count == 2 ? String(words[1]) : ""))
        }
        return times
    }

    private static func days(_ text: String) throws(ControlFailure) -> DaysOfWeek {
        var days: [Weekday] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let found = Weekday.allCases.first { "\($0)".hasPrefix(part.lowercased()) }
            guard let found, part.count >= 2 else {
                throw .usage("--days are days of the week, such as mon,wed,fri")
            }
            days.append(found)
        }
        return DaysOfWeek(days)
    }

    /// Reads a number; nil when none was given.
    static func number(
        _ text: String?, _ option: String
    ) throws(ControlFailure) -> Decimal64? {
        guard let text else { return nil }
        guard let number = Decimal64(parsing: text) else {
            throw .usage("--\(option) is a number such as 2.5, with at most 18 digits")
        }
        return number
    }

    private static func day(
        _ given: Arguments, _ option: String
    ) throws(ControlFailure) -> Edited<Day> {
        try edited(given.value(option)) { (text) throws(ControlFailure) in
            try MedTime.day(text, option)
        }
    }

    private static func text(_ given: String?) -> Edited<String> {
        given.map { $0.isEmpty ? .cleared : .set($0) } ?? .kept
    }

    private static func edited<Kind>(
        _ given: String?, _ read: (String) throws(ControlFailure) -> Kind?
    ) throws(ControlFailure) -> Edited<Kind> {
        guard let given else { return .kept }
        if given.isEmpty { return .cleared }
        return try read(given).map { .set($0) } ?? .kept
    }
}
