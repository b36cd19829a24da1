package import Linnet
package import LinnetControl
import LinnetWire

/// Writes warnings for people and programs.
package enum WarningText {
    /// Returns a warning, the time since it last happened, and the remedy.
    package static func lines(_ warning: ControlWarning, now: Int64) -> String {
        var text = "warning: \(TerminalText.neutral(warning.text))"
        if warning.isKept, let wall = warning.wallMilliseconds {
            text += " (\(warning.count > 1 ? "last " : "")\(Ago.words(now - wall)))"
        }
        return text + (warning.remedy.map { "\n    \(TerminalText.neutral($0))" } ?? "")
    }

    /// Returns the same as an object.
    package static func json(_ warning: ControlWarning) -> JSON {
        [
            "kind": .text(warning.kind), "text": .text(warning.text),
            "remedy": warning.remedy.map(JSON.text) ?? .null,
            "device": warning.device.map { .text($0.description) } ?? .null,
            "count": .integer(warning.count),
            "lastMilliseconds": warning.wallMilliseconds.map(JSON.integer) ?? .null,
            "untilAcknowledged": .bool(warning.isKept),
        ]
    }
}
