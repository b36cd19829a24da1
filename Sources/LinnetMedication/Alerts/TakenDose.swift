/// A dose as it was taken, for an alert.
package struct TakenDose: Equatable, Sendable {
    /// When.
    package let at: Instant
    /// What it consisted of; nil where no event says so.
    package let content: DoseContent?

    /// A dose that was taken at an instant.
    package init(at: Instant, content: DoseContent? = nil) {
        self.at = at
        self.content = content
    }

    /// What an event says.
    init(_ event: DoseEvent) {
        self.init(at: event.at, content: event.content)
    }
}
