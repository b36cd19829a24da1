/// A dose as it was taken, for an alert.
public struct TakenDose: Equatable, Sendable {
    /// The instant at which it was taken.
    public let at: Instant
    /// The content of the dose; nil where no event says so.
    public let content: DoseContent?

    /// A dose that was taken at an instant.
    public init(at: Instant, content: DoseContent? = nil) {
        self.at = at
        self.content = content
    }

    /// Takes over what an event says.
    init(_ event: DoseEvent) {
        self.init(at: event.at, content: event.content)
    }
}
