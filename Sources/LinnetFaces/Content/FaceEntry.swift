package import LinnetMedication

/// What a face says from an instant on.
package struct FaceEntry: TimelineEntry {
    package let date: Instant
    /// What it says.
    package let content: FaceContent
    package let asOf: Instant?
    package let staleAfter: Instant?
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
