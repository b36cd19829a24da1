package import Linnet

/// The identifier that makes a write safe to repeat.
package enum Intent {
    /// The option that every command which writes has.
    package static let option = Option(
        "intent", "ID", "1 to 64 bytes; repeating the call with the same ID changes nothing")

    /// The identifier; nil when none was given.
    package static func read(_ arguments: Arguments) throws(ControlFailure) -> [UInt8]? {
        guard let text = arguments.value("intent") else { return nil }
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count) else { throw .usage("--intent has 1 to 64 bytes") }
        return bytes
    }

    /// What a command says after a write.
    package static func said(_ text: String, _ receipt: ControlReceipt) -> String {
        guard receipt.repeated else { return text }
        let unknown = receipt.outcome == .unknown ? "; whether it showed was not noted then" : ""
        return text + " (done before, under the same intent\(unknown))"
    }
}
