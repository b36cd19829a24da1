import LinnetFaces
import LinnetMedication

/// An entry that says only when it is shown and for how long it holds.
struct PlainEntry: TimelineEntry {
    var date: Instant
    var name = ""
    var asOf: Instant?
    var staleAfter: Instant?
    var relevance: EntryRelevance?
}

/// A host with a clock that the test moves, and a provider that answers at once.
struct HostHarness {
    var host: WidgetHost<PlainEntry>
    var now = Instant(milliseconds: 1_795_215_600_000)
    /// What a widget's provider answers; nil when it says nothing.
    var answer: (WidgetID, Instant) -> Timeline<PlainEntry>? = { _, now in
        Timeline([PlainEntry(date: now)], policy: .never)
    }
    /// Which widgets were asked, and when.
    var asked: [(id: WidgetID, at: Instant)] = []
    /// What was shown.
    var shown: [(id: WidgetID, what: Shown<PlainEntry>, at: Instant)] = []

    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 86_400_000

    init(_ change: (inout WidgetLimits) -> Void = { _ in }) {
        var limits = WidgetLimits()
        change(&limits)
        host = WidgetHost(limits)
    }

    /// A widget of a kind, added and asked once.
    @discardableResult
    mutating func add(
        _ number: Int, kind: String = "dose", _ place: WidgetConfiguration.Place = .screen,
        _ viewing: WidgetConfiguration.Viewing = .frequent
    ) -> WidgetID {
        let id = WidgetID(number)
        tell(
            .added(
                id,
                WidgetConfiguration(kind: kind, family: .small, place: place, viewing: viewing)))
        return id
    }

    mutating func tell(_ input: WidgetInput<PlainEntry>) {
        perform(host.handle(input, at: now))
    }

    /// Lets time pass, waking the host whenever it wants to be.
    mutating func pass(_ milliseconds: Int64) {
        let end = now.advanced(byMilliseconds: milliseconds)
        var last: Instant?
        while let deadline = host.deadline, deadline <= end {
            // A host that asks to be woken without end would hang.
            if let last, deadline <= last { break }
            last = deadline
            now = max(now, deadline)
            tell(.wake)
        }
        now = end
        tell(.wake)
    }

    func count(_ id: WidgetID) -> Int { asked.count { $0.id == id } }

    func names(_ id: WidgetID) -> [String] {
        shown.filter { $0.id == id }.compactMap {
            if case .entry(let entry) = $0.what { entry.name } else { nil }
        }
    }

    func later(_ milliseconds: Int64) -> Instant { now.advanced(byMilliseconds: milliseconds) }

    private mutating func perform(_ effects: [WidgetEffect<PlainEntry>]) {
        for effect in effects {
            switch effect {
            case .ask(let id, let request, _):
                asked.append((id, now))
                if let timeline = answer(id, now) {
                    tell(.timeline(id, request: request, timeline))
                }
            case .show(let id, let what): shown.append((id, what, now))
            case .hide: break
            }
        }
    }
}
