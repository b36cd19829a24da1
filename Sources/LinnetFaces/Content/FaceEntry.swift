public import LinnetMedication

/// The content of a face from an instant on.
public struct FaceEntry: TimelineEntry {
    /// The instant at which it comes up.
    public let date: Instant
    /// The content that it shows.
    public let content: FaceContent
    /// The moment of what it knows; nil when it states nothing.
    public let asOf: Instant?
    /// Past this it would be stale and is replaced by unknown; nil when it states nothing.
    public let staleAfter: Instant?
    /// The weight that it has in stacks of widgets.
    public let relevance: EntryRelevance?

    /// An entry.
    public init(
        date: Instant, content: FaceContent, asOf: Instant? = nil, staleAfter: Instant? = nil,
        relevance: EntryRelevance? = nil
    ) {
        self.date = date
        self.content = content
        self.asOf = asOf
        self.staleAfter = staleAfter
        self.relevance = relevance
    }
}
