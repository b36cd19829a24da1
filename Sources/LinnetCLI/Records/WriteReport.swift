import Linnet
import LinnetAPI
import LinnetControl

/// Tells what became of a write.
enum WriteReport {
    /// Reports the receipt of a write to one record. Throws when the write does not show, or when
    /// there was nothing to do, so that the command ends with the exit code for that.
    ///
    /// - Parameters:
    ///   - verb: the deed, for when all of it shows.
    ///   - idle: the reason why there was nothing to do, after the record's name.
    static func tell(
        _ receipt: ControlReceipt, of place: RecordPath, done verb: String, idle: String,
        _ output: Output
    ) throws(ControlFailure) {
        switch receipt.outcome {
        case .visible, .unknown:
            output.result(place.json(receipt), Intent.said("\(verb): \(place.text)", receipt))
        case .unchanged, .hidden:
            if output.isJSON { output.result(place.json(receipt), "") }
            try check(receipt, idle: "\(place.text) \(idle)")
        }
    }

    /// Throws when something that was written does not show, or, where `idle` gives a reason, when
    /// there was nothing to do.
    static func check(_ receipt: ControlReceipt, idle: String? = nil) throws(ControlFailure) {
        switch receipt.outcome {
        case .visible, .unknown: return
        case .unchanged:
            if let idle { throw ControlFailure(.unchanged, "nothing to do: \(idle)") }
        case .hidden(let writes, let count):
            var lines = writes.map { TerminalText.neutral($0.description) }
            if count > writes.count { lines.append("and \(count - writes.count) more") }
            if receipt.repeated { lines[0] += " (already done under the same intent)" }
            throw ControlFailure(.hidden, lines.joined(separator: "\n"))
        }
    }
}
