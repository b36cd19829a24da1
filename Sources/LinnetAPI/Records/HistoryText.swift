package import Linnet
import LinnetCRDT

/// Writes the history of a record for people and programs.
package enum HistoryText {
    /// Returns a change as one line.
    package static func line(_ entry: HistoryEntry) -> String {
        var text = "\(TimeText.instant(entry.writtenMilliseconds))  "
        text += TimeText.device(entry.device.name, entry.device.id) + "  "
        if let bringer = entry.broughtBy {
            let name = TimeText.device(bringer.name, bringer.id)
            text += "(of another group, brought by \(name))  "
        }
        text += [entry.field, action(entry)].compactMap(\.self).joined(separator: " ")
        if entry.stampMilliseconds != entry.writtenMilliseconds {
            text += "  (counts as \(TimeText.instant(entry.stampMilliseconds)))"
        }
        if !entry.isTimeBelieved { text += "  (not believed: a clock was ahead)" }
        return TerminalText.neutral(text + "  " + fate(entry.fate))
    }

    /// Returns a change as JSON.
    package static func json(_ entry: HistoryEntry) -> JSON {
        [
            "change": .text(entry.id), "field": entry.field.map(JSON.text) ?? .null,
            "action": .text("\(entry.action)"), "value": entry.value.map(ValueText.json) ?? .null,
            "key": entry.key.map(JSON.text) ?? .null, "device": .text(entry.device.id),
            "deviceName": .text(entry.device.name),
            "broughtBy": entry.broughtBy.map { .text($0.id) } ?? .null,
            "writtenMilliseconds": .integer(entry.writtenMilliseconds),
            "stampMilliseconds": .integer(entry.stampMilliseconds),
            "timeBelieved": .bool(entry.isTimeBelieved), "fate": .text(fate(entry.fate)),
            "shows": .bool(entry.fate == .shows),
        ]
    }

    /// Explains the value of a field in sentences.
    package static func text(_ explanation: Explanation, of place: String) -> String {
        let shown = explanation.value.map { ValueText.text($0) } ?? "nothing"
        var lines = [
            "\(place) \(explanation.field) = \(TerminalText.neutral(shown))",
            "rule: \(explanation.rule)",
        ]
        lines += explanation.winners.map { "shows: \(line($0))" }
        lines += explanation.others.map { "other: \(line($0))" }
        lines += explanation.holders.map { holder in
            let name = TimeText.device(holder.device.name, holder.device.id)
            return switch holder.holding {
            case .holds: "\(name) has it"
            case .lacks: "\(name) lacks it"
            case .unknown: "\(name) has not told what it holds"
            }
        }
        lines += explanation.waiting.map { "waiting: \(TerminalText.neutral($0))" }
        return lines.joined(separator: "\n  ")
    }

    /// Explains the value of a field as JSON.
    package static func json(_ explanation: Explanation) -> JSON {
        [
            "field": .text(explanation.field),
            "value": explanation.value.map(ValueText.json) ?? .null,
            "rule": .text(explanation.rule),
            "winners": .array(explanation.winners.map(json)),
            "others": .array(explanation.others.map(json)),
            "holders": .array(
                explanation.holders.map { holder in
                    [
                        "device": .text(holder.device.id), "name": .text(holder.device.name),
                        "holding": .text("\(holder.holding)"),
                    ]
                }), "waiting": .array(explanation.waiting.map(JSON.text)),
        ]
    }

    private static func action(_ entry: HistoryEntry) -> String {
        let value = entry.value.map { ValueText.text($0) } ?? ""
        let key = entry.key.map { " under \($0)" } ?? ""
        return switch entry.action {
        case .unknown: "was changed by a newer version"
        case .set: "= \(value)"
        case .count: "counted \(value)\(key)"
        case .recount: "was counted as \(value)"
        case .add: "got \(value)"
        case .remove: "lost \(value)"
        case .insertText: "got the text '\(value)'"
        case .deleteText: "lost characters"
        case .move: "moved"
        case .insert: "written: \(value)"
        case .delete: "deleted"
        case .restore: "brought back"
        }
    }

    private static func fate(_ fate: HistoryEntry.Fate) -> String {
        switch fate {
        case .shows: "shows"
        case .lost(let other): "lost" + (other.map { " to \($0)" } ?? "")
        case .deleted: "belongs to the record before its deletion"
        case .quarantined(let reason): "has no effect: \(reason)"
        case .unknown: "only a newer version understands it"
        case .waiting(let reason): "waits: \(reason)"
        }
    }
}
