/// The scopes that a device holds beside those that every device holds, and whether it knows all
/// that its group had of them.
package struct ControlScopes: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 116
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.isEverything, \.names, \.isInStep)
    }

    /// True when it holds all but those that are named, also scopes that come to be later; else it
    /// holds those alone.
    package var isEverything: Bool
    /// The names.
    package var names: [String]
    /// True when it knows all of what every device holds, too; false until the first exchange of a
    /// device that joined has ended whole.
    package var isInStep: Bool

    /// Joins the facts.
    package init(isEverything: Bool, names: [String], isInStep: Bool = true) {
        self.isEverything = isEverything
        self.names = names
        self.isInStep = isInStep
    }
}

/// The collections of a home.
package struct ControlSchema: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 140
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.text) }

    /// A schema file; empty while the home waits for its group's.
    package var text: String

    /// Hands over the file.
    package init(_ text: String) { self.text = text }
}
