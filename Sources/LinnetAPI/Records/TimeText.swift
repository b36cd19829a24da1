import Linnet
import LinnetCRDT

/// Times and devices as people read them.
package enum TimeText {
    /// Returns a time in UTC, from milliseconds since 1970.
    package static func instant(_ milliseconds: Int64) -> String {
        Value.instant(milliseconds).description
    }

    /// Returns a device's name, or the beginning of its identifier when it has no name.
    package static func device(_ name: String, _ id: String?) -> String {
        if !name.isEmpty { return TerminalText.neutral(name) }
        return id.map { "device \($0.prefix(8))" } ?? "a device that is no longer known"
    }
}
