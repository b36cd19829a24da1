package import Linnet
package import LinnetControl
import LinnetWire

/// Late writes as people and programs read them.
package enum LateText {
    /// The line that tells of the inbox.
    package static func hint(_ batches: UInt64) -> String {
        "late: \(Plural.batches(batches)) of devices that may write no more "
            + (batches == 1 ? "counts" : "count") + " nowhere; 'linnet late' shows them"
    }

    /// Returns late writes of one chain as lines of text.
    package static func lines(_ late: ControlLateWrite) -> String {
        let count = late.last - late.first + 1
        let numbers = count == 1 ? "batch \(late.first)" : "batches \(late.first) to \(late.last)"
        var text =
            "\(RemovalText.label(late.device)), chain \(late.chain), \(numbers): "
            + Plural.of(late.operations, "change")
        if let first = late.earliestMilliseconds, let last = late.latestMilliseconds {
            text += ", written as it says \(TimeText.instant(first))"
            if first != last { text += " to \(TimeText.instant(last))" }
        }
        if late.unreadable > 0 {
            text += ", and \(Plural.batches(late.unreadable)) that this device cannot read"
        }
        if late.isDropped { text += ", dropped" }
        for record in late.records { text += "\n  \(TerminalText.neutral(record))" }
        if late.hasMoreRecords { text += "\n  and other records" }
        return text
    }

    /// Returns late writes of one chain as an object.
    package static func json(_ late: ControlLateWrite) -> JSON {
        [
            "device": .text(late.device.id), "name": .text(late.device.name),
            "chain": .text(late.chain), "first": .integer(late.first),
            "last": .integer(late.last), "changes": .integer(late.operations),
            "unreadable": .integer(late.unreadable),
            "earliestMilliseconds": late.earliestMilliseconds.map(JSON.integer) ?? .null,
            "latestMilliseconds": late.latestMilliseconds.map(JSON.integer) ?? .null,
            "records": .array(late.records.map(JSON.text)),
            "moreRecords": .bool(late.hasMoreRecords), "dropped": .bool(late.isDropped),
        ]
    }
}
