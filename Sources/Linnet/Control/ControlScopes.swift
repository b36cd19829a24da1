/// Which scopes a device holds, beside those that every device holds.
package struct ControlScopes: Equatable, Sendable {
    /// Whether it holds all but those that are named, also scopes that come to be later; else it
    /// holds those alone.
    package var isEverything: Bool
    /// The names.
    package var names: [String]

    /// Joins the facts.
    package init(isEverything: Bool, names: [String]) {
        self.isEverything = isEverything
        self.names = names
    }
}
