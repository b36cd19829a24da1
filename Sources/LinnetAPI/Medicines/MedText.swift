import Linnet
package import LinnetCRDT
package import LinnetMedication
import LinnetWire

/// Writes the domain's values for people.
package enum MedText {
    /// Returns a sentence that says what is wrong and what belongs there.
    package static func sentence(for error: MedicationError) -> String {
        switch error {
        case .invalid(let field, let rule): "\(field.rawValue): \(sentence(for: rule))"
        case .unknownZone(let name): ZoneFiles.reason(for: name)
        case .badShift: "the times are too close together for steps of that many minutes"
        case .badTimes, .badDoseTime, .badInterval, .badTiming: "the times are not times of a day"
        case .badZone:
            "a file of \(ZoneFiles.directory) is damaged: install the zone database again"
        case .rangeTooLong: "ask for at most twenty years at once"
        case .medicationAlreadyExists(let id):
            "medicationAlreadyExists: there is one of this name already "
                + "(\(TerminalText.neutral(id.description)))"
        case .unclearDose:
            "it is not clear which dose you mean: name it with --dose, or add --additional"
        }
    }

    private static func sentence(for rule: MedicationRule) -> String {
        switch rule {
        case .notEmpty: "must not be empty"
        case .atMostBytes(let count): "has at most \(count) bytes"
        case .positive: "must be above zero"
        case .notNegative: "must not be below zero"
        case .identifier: "has at most 39 bytes and no control characters"
        case .oneOf(let words): "must be one of \(words.joined(separator: ", "))"
        case .notBeforeStart: "must not be before the start"
        case .timeOfDay: "are times of day from 00:00 to 23:59, each given once"
        case .knownZone: "is no time zone of the zone database"
        case .noCollision(let other):
            "another schedule (\(TerminalText.neutral(other))) is due at the same time"
        case .scheduled(let frequency): way(to: frequency)
        case .stoppedFirst: "stop it first: 'linnet med stop'"
        case .active: "is not active"
        case .exists: "there is none"
        case .unambiguous(let names):
            "there are several, name one: " + TerminalText.neutral(names.joined(separator: ", "))
        case .somethingToUndo: "nothing was recorded that could be taken back"
        case .additional(let last): "was taken at \(last)"
        case .notTaken: "was recorded already: 'linnet med undo' takes that back"
        case .withinADay: "is more than a day ahead"
        case .notInFuture: "lies in the future; record it once it has happened"
        }
    }

    /// Returns a sentence on how to make a schedule for a prescription's frequency.
    private static func way(to frequency: Frequency) -> String {
        let way =
            switch frequency {
            case .timesADay(let count):
                "give \(count == 1 ? "one time" : "\(count) times") of day, such as --times "
                    + example(of: count)
            case .everyHours(let hours): "give --every \(hours)"
            case .customTimes, .asNeeded, .unknown: "give --times HH:MM,..."
            }
        return "no schedule does what '\(TerminalText.neutral(frequency.text))' says, and none is "
            + "made up: \(way)"
    }

    /// Returns an example of so many times of a day, as far apart as waking hours allow.
    private static func example(of count: Int) -> String {
        let first = count > 8 ? 0 : 8 * 60
        let last = count > 8 ? 23 * 60 : 20 * 60
        return (0..<count).map { number in
            let minute = count == 1 ? first : first + (last - first) * number / (count - 1)
            return LocalTime.text(hour: minute / 60, minute: minute % 60)
        }.joined(separator: ",")
    }

    /// The sentence of a device that has joined but not yet received everything that its group
    /// holds.
    package static let notInStep =
        "this device has not received all that its group holds since it joined: medicines, doses "
        + "and stocks may be missing; 'linnet sync' fetches them while another device is reached"

    /// Returns the name of a medicine with its dosage.
    package static func name(_ medication: Medication) -> String {
        TerminalText.neutral(
            medication.name + (medication.dosage.map { " \($0)" } ?? ""))
    }

    /// Returns the name of a dose's medicine with its dosage.
    package static func name(_ line: DoseLine) -> String {
        TerminalText.neutral(line.name + (line.dosage.map { " \($0)" } ?? ""))
    }

    /// The remark about words that no event kept.
    package static let today = "as of today's record"

    /// Returns the content of an event in its own words, or in those of today's record when it has
    /// none.
    package static func content(_ event: DoseEvent, _ book: MedicationBook) -> String {
        if let content = event.content { return TerminalText.neutral(content.description) }
        let known = TerminalText.neutral(book.content(of: event.medication).description)
        return "\(known) (\(today))"
    }

    /// Returns doses with their times.
    package static func list(
        _ doses: [TakenDose], of id: RecordID, _ desk: MedicineDesk
    ) -> String {
        doses.map { dose in
            let content = dose.content ?? desk.book.content(of: id)
            return TerminalText.neutral(content.description) + " at \(desk.time.text(dose.at))"
        }.joined(separator: ", ")
    }

    /// Returns how well doses were taken over days, and how much of that is known.
    package static func adherence(_ found: Adherence, _ days: ClosedRange<Day>) -> String {
        var text = "\(days.lowerBound) to \(days.upperBound): "
        if let since = found.knownSince, since <= days.upperBound {
            text += "known since \(since): "
        }
        text +=
            found.total == 0 && found.knownSince != nil
            ? "not known here"
            : percent(found.rateThousandths) + " (\(Self.text(found.count)))"
        text += "; days in a row: \(streak(found.streak))"
        if found.totalDays > 0 {
            text += "; " + Plural.of(found.totalDays, "day is", "days are")
            text += " counted by monthly totals"
        }
        return text
    }

    /// Returns the days of a streak, with a remark when there may be more.
    package static func streak(_ streak: Streak) -> String {
        streak.isWhole
            ? "\(streak.days)" : "at least \(streak.days) (earlier days are not known here)"
    }

    /// Returns a rate in percent.
    package static func percent(_ thousandths: Int?) -> String {
        thousandths.map { "\(($0 + 5) / 10) %" } ?? "-"
    }

    /// Sets columns side by side; the last one is not filled up.
    package static func table(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                column == row.count - 1
                    ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// Returns a timing in words.
    package static func text(_ timing: Timing) -> String {
        var text = timing.pattern.text
        if !timing.daysOfWeek.isEmpty {
            text += " on " + timing.daysOfWeek.days.map { "\($0)".prefix(3) }.joined(separator: ",")
        }
        text += " (\(timing.referenceZone))"
        if let shift = timing.shift {
            text += ", shifting by \(shift.minutesPerDay) min a day until \(shift.lastDay)"
        }
        return TerminalText.neutral(text)
    }
}
