/// Which scopes a device holds, beside those that every device holds, and knows all that its group
/// had of them.
package struct ControlScopes: Equatable, Sendable {
    /// Whether it holds all but those that are named, also scopes that come to be later; else it
    /// holds those alone.
    package var isEverything: Bool
    /// The names.
    package var names: [String]
    /// Whether it knows all of what every device holds, too; false until the first exchange of a
    /// device that joined has ended whole.
    package var isInStep: Bool

    /// Joins the facts.
    package init(isEverything: Bool, names: [String], isInStep: Bool = true) {
        self.isEverything = isEverything
        self.names = names
        self.isInStep = isInStep
    }
}
