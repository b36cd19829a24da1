/// A finding of a look at one part of a device, for the person at the terminal.
package struct HealthFinding: ControlElement, ControlStruct {
    package static let number: UInt64 = 174
    package static var form: ControlForm<Self> {
        ControlForm({ Self($0, $1, $2, remedy: $3) }, \.check, \.state, \.text, \.remedy)
    }

    /// The state of that part.
    package enum State: String, CaseIterable, ControlCodable {
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
    /// The state of the part.
    package var state: State
    /// The finding, in a sentence.
    package var text: String
    /// The advice; nil when nothing has to be done.
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
