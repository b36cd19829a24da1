public import LinnetMedication

/// The point at which a widget wants to be asked for its next timeline; a request, no guarantee.
public enum ReloadPolicy: Equatable, Sendable {
    /// Once the last entry's date has passed.
    case atEnd
    /// Not before an instant, which may lie before or after the last entry.
    case after(Instant)
    /// Not before the app asks.
    case never
}

/// The entries of a widget in the order of their dates, as WidgetKit's `Timeline`.
public struct Timeline<Entry: TimelineEntry>: Equatable, Sendable {
    /// The entries in ascending order of their dates; of entries with one date the last.
    public let entries: [Entry]
    /// The point at which the next timeline is wanted.
    public let policy: ReloadPolicy

    /// A timeline of entries in any order.
    public init(_ entries: [Entry], policy: ReloadPolicy) {
        let numbered = entries.enumerated().sorted {
            ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
        }
        var sorted: [Entry] = []
        for (_, entry) in numbered {
            if sorted.last?.date == entry.date { sorted.removeLast() }
            sorted.append(entry)
        }
        self.entries = sorted
        self.policy = policy
    }

    /// The timeline in which nothing is shown past its bound: an entry that would outlive it is
    /// followed by what `unknown` makes for that instant, and so on while that has a bound itself,
    /// so that no reload is needed.
    public func keepingBounds(_ unknown: (Instant) -> Entry) -> Timeline {
        var kept: [Entry] = []
        for (index, entry) in entries.enumerated() {
            let next = index + 1 < entries.count ? entries[index + 1].date : nil
            var last = entry
            if let bound = entry.staleAfter, bound <= entry.date { last = unknown(entry.date) }
            kept.append(last)
            while let bound = last.staleAfter, bound > last.date, next.map({ bound < $0 }) ?? true {
                last = unknown(bound)
                kept.append(last)
            }
        }
        return Timeline(kept, policy: policy)
    }
}
