/// The scopes that a device holds beside those that every device holds.
package struct ControlScopes: Equatable, Sendable {
    /// True when it holds all scopes but the named ones, those that come to be later included;
    /// otherwise it holds only the named ones.
    package var isEverything: Bool
    /// The names of scopes.
    package var names: [String]
    /// True when it also knows all that its group had in the scopes that every device holds; false
    /// until the first exchange of a device that joined has ended whole.
    package var isInStep: Bool

    /// Joins the facts.
    package init(isEverything: Bool, names: [String], isInStep: Bool = true) {
        self.isEverything = isEverything
        self.names = names
        self.isInStep = isInStep
    }
}
