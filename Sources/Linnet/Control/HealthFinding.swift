import LinnetWire

/// A finding about one part of a device, for the person at the terminal.
package struct HealthFinding: Equatable, Sendable {
    /// The state of a part.
    package enum State: String, CaseIterable, Sendable {
        /// The part was looked at, and nothing is wrong.
        case good = "ok"
        /// Nothing is wrong, but something is worth knowing.
        case note
        /// Nobody looked at the part, so nothing is known of it.
        case unchecked = "not checked"
        /// Something is wrong, but the device goes on.
        case warning
        /// The part is broken.
        case broken
    }

    /// The part that was looked at.
    package var check: String
    /// The state of the part.
    package var state: State
    /// The finding in words.
    package var text: String
    /// A sentence on what to do; nil when nothing has to be done.
    package var remedy: String?

    /// Joins the parts.
    package init(_ check: String, _ state: State, _ text: String, remedy: String? = nil) {
        self.check = check
        self.state = state
        self.text = text
        self.remedy = remedy
    }

    /// True when something is wrong.
    package var isWrong: Bool { state == .warning || state == .broken }
}

extension CBORWriter {
    mutating func finding(_ finding: HealthFinding) {
        array(4)
        text(finding.check)
        text(finding.state.rawValue)
        text(finding.text)
        optional(finding.remedy) { $0.text($1) }
    }
}

extension CBORReader {
    mutating func finding() throws(WireError) -> HealthFinding {
        try array(exactly: 4)
        let check = try text()
        guard let state = HealthFinding.State(rawValue: try text()) else { throw .unexpectedType }
        return HealthFinding(
            check, state, try text(),
            remedy: try optional { (reader) throws(WireError) in try reader.text() })
    }
}
