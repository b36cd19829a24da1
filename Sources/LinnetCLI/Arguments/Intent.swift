import Linnet
import LinnetAPI
package import LinnetControl

/// The intent of a command that writes: repeating the call with the same one changes nothing.
package enum Intent {
    /// The option of every command that writes.
    package static let option = Option(
        "intent", "ID", "1 to 64 bytes; repeating the call with the same ID changes nothing")

    /// Reads the intent, 1 to 64 bytes; nil when none was given.
    package static func read(_ arguments: Arguments) throws(ControlFailure) -> [UInt8]? {
        guard let text = arguments.value("intent") else { return nil }
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count) else { throw .usage("--intent has 1 to 64 bytes") }
        return bytes
    }

    /// Returns `text`, with a remark when the same intent had been carried out before.
    package static func said(_ text: String, _ receipt: ControlReceipt) -> String {
        guard receipt.repeated else { return text }
        let unknown = receipt.outcome == .unknown ? "; whether it showed then was not recorded" : ""
        return text + " (already done under the same intent\(unknown))"
    }
}
