public import LinnetMedication

/// The timeline of what was taken of what was due: one entry, asked again after an hour.
public struct AdherenceProvider: TimelineProvider {
    private let source: FaceSource

    /// A provider of what was found in the shared container.
    public init(_ reading: SnapshotReading, _ freshness: FaceFreshness = FaceFreshness()) {
        source = FaceSource(.adherence, reading, freshness)
    }

    /// Returns the entry that stands there before anything is known.
    public func placeholder(in context: TimelineContext, at now: Instant) -> FaceEntry {
        FaceEntry(date: now, content: .placeholder(.adherence))
    }

    /// Returns the entry that is shown at once: of a preview a sample.
    public func snapshot(in context: TimelineContext, at now: Instant) -> FaceEntry {
        context.isPreview ? FaceSample.entry(.adherence, at: now) : source.entry(at: now)
    }

    /// The entries to come, and when to ask again.
    public func timeline(
        in context: TimelineContext, at now: Instant
    ) -> Timeline<FaceEntry> {
        Timeline(
            [source.entry(at: now)],
            policy: .after(now.advanced(byMilliseconds: 3_600_000))
        ).keepingBounds(source.entry)
    }
}
