package import LinnetMedication

/// What a face says from an instant on.
package struct FaceEntry: TimelineEntry {
    /// When it comes up.
    package let date: Instant
    /// What it says.
    package let content: FaceContent
    /// The moment of what it knows; nil when it states nothing.
    package let asOf: Instant?
    /// Past this it would be stale and is replaced by unknown; nil when it states nothing.
    package let staleAfter: Instant?
    /// How much it matters, for stacks of widgets.
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
