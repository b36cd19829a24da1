import Linnet
package import LinnetControl
import LinnetWire

/// Writes what another device lacks.
package enum LackText {
    /// Returns the lack as an object; null where it is not known.
    static func json(_ lack: ControlLack?) -> JSON {
        guard let lack else { return .null }
        return [
            "batches": .integer(lack.batches), "opened": .integer(lack.opened),
            "collections": .array(
                lack.parts.map { part in
                    [
                        "collection": .text(part.collection), "records": .integer(part.records),
                    ]
                }),
        ]
    }

    /// Returns the lack in words; nil where it is not known, and for a connected device that lacks
    /// nothing.
    package static func words(_ lack: ControlLack?, isConnected: Bool) -> String? {
        guard let lack else { return nil }
        if lack.batches == 0 { return isConnected ? nil : "lacked nothing then" }
        var text = "lacks \(Plural.batches(lack.batches))"
        let parts = lack.parts.map { part in
            "\(Plural.of(part.records, "record")) of \(TerminalText.neutral(part.collection))"
        }
        if !parts.isEmpty {
            text += lack.opened < lack.batches ? "; the newest \(lack.opened) have " : " with "
            text += parts.joined(separator: ", ")
        }
        return isConnected ? text : text + " by what it said then"
    }
}
