public import LinnetMedication

/// The timeline of the dose that comes next: hourly entries for six hours and one at each turn of a
/// dose; asked again after half an hour.
public struct NextDoseProvider: TimelineProvider {
    private static let hour: Int64 = 3_600_000
    private static let spacing: Int64 = 5 * 60_000
    private let source: FaceSource

    /// A provider of what was found in the shared container.
    public init(_ reading: SnapshotReading, _ freshness: FaceFreshness = FaceFreshness()) {
        source = FaceSource(.nextDose, reading, freshness)
    }

    /// Returns the entry that stands there before anything is known.
    public func placeholder(in context: TimelineContext, at now: Instant) -> FaceEntry {
        FaceEntry(date: now, content: .placeholder(.nextDose))
    }

    /// Returns the entry that is shown at once: of a preview a sample.
    public func snapshot(in context: TimelineContext, at now: Instant) -> FaceEntry {
        context.isPreview ? FaceSample.entry(.nextDose, at: now) : source.entry(at: now)
    }

    /// The entries to come, and when to ask again.
    public func timeline(
        in context: TimelineContext, at now: Instant
    ) -> Timeline<FaceEntry> {
        let end = now.advanced(byMilliseconds: 6 * Self.hour)
        let hours = (1...6).map { now.advanced(byMilliseconds: $0 * Self.hour) }
        let turns = Self.spaced([now] + source.doseTimes(after: now, until: end))
        let marks = hours.filter { hour in
            turns.allSatisfy { ($0.milliseconds(since: hour)).magnitude >= Self.spacing }
        }
        let dates = (turns + marks).sorted()
        return Timeline(
            dates.map(source.entry),
            policy: .after(now.advanced(byMilliseconds: Self.hour / 2))
        ).keepingBounds(source.entry)
    }

    /// Ascending instants, each at least five minutes after the one before; one that comes too soon
    /// is moved back.
    private static func spaced(_ instants: [Instant]) -> [Instant] {
        var kept: [Instant] = []
        for instant in instants {
            guard let last = kept.last else {
                kept.append(instant)
                continue
            }
            if instant <= last { continue }
            kept.append(max(instant, last.advanced(byMilliseconds: spacing)))
        }
        return kept
    }
}
