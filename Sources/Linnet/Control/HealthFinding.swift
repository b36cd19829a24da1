import LinnetWire

/// What a look at one part of a device found, for the person at the terminal.
package struct HealthFinding: Equatable, Sendable {
    /// How that part is.
    package enum State: String, CaseIterable, Sendable {
        /// It was looked at, and nothing is wrong.
        case good = "ok"
        /// Nothing is wrong, and something is worth knowing.
        case note
        /// Nobody looked, so nothing is known.
        case unchecked = "not checked"
        /// Something is wrong, and the device goes on.
        case warning
        /// Something is broken.
        case broken
    }

    /// The part.
    package var check: String
    /// How it is.
    package var state: State
    /// What was found.
    package var text: String
    /// What to do; nil when nothing has to be done.
    package var remedy: String?

    /// Joins the parts.
    package init(_ check: String, _ state: State, _ text: String, remedy: String? = nil) {
        self.check = check
        self.state = state
        self.text = text
        self.remedy = remedy
    }

    /// Whether something is wrong.
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
