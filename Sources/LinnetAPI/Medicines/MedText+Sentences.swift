import Linnet
import LinnetCRDT
package import LinnetMedication
import LinnetWire

// Sentences about alerts, totals and journeys.
extension MedText {
    /// Returns an alert about a stock or a last day as a sentence; nothing about any other.
    package static func text(_ alert: MedicationAlert, of title: String) -> String {
        switch alert {
        case .lowStock(let view):
            let days = view.daysLeft.map { ", \(Plural.of($0, "day")) left" } ?? ""
            return "low stock: \(title), \(view.text)"
                + (view.missing == nil ? " left\(days)" : "; count again")
        case .expiring(_, let day, let isExpired):
            return isExpired ? "expired: \(title) on \(day)" : "expiring: \(title) on \(day)"
        case .missed, .possibleDoubleDose, .aboveMaximum, .unknown: return ""
        }
    }

    /// Returns an alert as a sentence.
    package static func text(_ alert: MedicationAlert, _ desk: MedicineDesk) -> String {
        let title =
            alert.medication.flatMap { desk.book.medication($0) }.map { name($0) } ?? ""
        switch alert {
        case .lowStock, .expiring: return text(alert, of: title)
        case .missed(let line):
            return "missed: \(name(line)) at \(desk.time.text(line.scheduled))"
        case .possibleDoubleDose(let id, let doses):
            return "possible double dose: " + list(doses, of: id, desk)
        case .aboveMaximum(let id, let maximum, let doses):
            return "above the maximum: \(Plural.of(doses.count, "dose")) within 24 hours, "
                + "at most \(maximum): " + list(doses, of: id, desk)
        case .unknown(_, let record, let words):
            return "written by a newer version: "
                + TerminalText.neutral("\(record) (\(words.joined(separator: ", ")))")
        }
    }

    /// Returns the counts of doses as part of a sentence.
    package static func text(_ count: DayCount) -> String {
        "\(count.taken) of \(count.total) taken, \(count.late) late, \(count.missed) missed, "
            + "\(count.skipped) skipped"
    }

    /// Returns a sentence with both sides of a total that disagrees with the events held here.
    package static func text(_ disagreement: TotalDisagreement) -> String {
        "the total of \(disagreement.month) does not agree with the events held here: it says "
            + "\(text(disagreement.stated)); the events of the same days say "
            + text(disagreement.held)
    }

    /// Returns a sentence about decisions that were made apart, of which one counts.
    package static func text(_ dispute: Dispute, _ time: MedTime) -> String {
        let counts = dispute.counts.map { decision($0, time) } ?? "a decision not held here"
        let others = dispute.superseded.map { decision($0, time) }.joined(separator: ", ")
        return "\(counts) counts; superseded: \(others); 'linnet med travel --strategy NAME' "
            + "confirms one for all"
    }

    /// Returns a strategy with the device that chose it and the time.
    package static func decision(_ adjustment: Adjustment, _ time: MedTime) -> String {
        TerminalText.neutral(
            "\(strategy(adjustment)) (\(adjustment.device ?? "a device without a name"), "
                + "\(time.text(adjustment.at)))")
    }

    /// Returns a strategy with its numbers.
    package static func strategy(_ adjustment: Adjustment) -> String {
        if let shift = adjustment.after.shift {
            return "\(adjustment.strategy) by \(shift.minutesPerDay) min a day"
        }
        return adjustment.strategy
    }
}
