package import LinnetMedication

/// The content of a face from an instant on.
package struct FaceEntry: TimelineEntry {
    /// The instant at which it comes up.
    package let date: Instant
    /// The content that it shows.
    package let content: FaceContent
    /// The moment of what it knows; nil when it states nothing.
    package let asOf: Instant?
    /// Past this it would be stale and is replaced by unknown; nil when it states nothing.
    package let staleAfter: Instant?
    /// The weight that it has in stacks of widgets.
    package let relevance: EntryRelevance?

    /// An entry.
    package init(
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
