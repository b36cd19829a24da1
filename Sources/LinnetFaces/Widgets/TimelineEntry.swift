public import LinnetMedication

/// One dated picture of a timeline, as WidgetKit's `TimelineEntry`, with what it is known from.
public protocol TimelineEntry: Equatable, Sendable {
    /// From when the entry is shown.
    var date: Instant { get }
    /// The weight of the entry beside those of other widgets; nil says nothing.
    var relevance: EntryRelevance? { get }
    /// The instant at which the facts in the entry were known to be so; nil when it states none.
    var asOf: Instant? { get }
    /// From when the entry may not be shown any more; nil when it states nothing that ages.
    var staleAfter: Instant? { get }
}

/// The weight of an entry, as WidgetKit's `TimelineEntryRelevance`.
public struct EntryRelevance: Equatable, Sendable {
    /// Larger is more relevant; compared within one widget only.
    public var score: Int
    /// For how long, in milliseconds; 0 until the next entry.
    public var durationMilliseconds: Int64

    /// A relevance.
    public init(score: Int, durationMilliseconds: Int64 = 0) {
        self.score = score
        self.durationMilliseconds = durationMilliseconds
    }
}
