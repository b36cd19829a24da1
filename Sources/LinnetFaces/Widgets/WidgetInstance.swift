import LinnetMedication

/// The state of one widget that a host remembers.
struct WidgetInstance<Entry: TimelineEntry>: Sendable {
    var configuration: WidgetConfiguration
    var added: Instant
    var shown: Shown<Entry> = .placeholder
    var slots: [Slot] = []
    /// The instant at which the policy of the timeline wants the next one.
    var policyDue: Instant?
    /// Since when somebody wants a reload, and whether it is free of charge.
    var wish: (since: Instant, isFree: Bool)?
    var asking: (request: Int, since: Instant)?
    var lastReload: Instant?
    /// The instants of counted reloads within the window, ascending.
    var spent: [Instant] = []

    /// An entry and from when it is up.
    struct Slot: Sendable {
        var from: Instant
        var entry: Entry
    }

    init(_ configuration: WidgetConfiguration, added: Instant) {
        self.configuration = configuration
        self.added = added
    }

    /// The instant at which a reload is wanted, whoever wants it.
    var wanted: Instant? {
        guard let wish else { return policyDue }
        return policyDue.map { min($0, wish.since) } ?? wish.since
    }

    /// True when a reload is wanted that costs nothing and does not wait.
    var isAskedForFree: Bool { asking == nil && wish?.isFree == true }

    mutating func want(at now: Instant, isFree: Bool) {
        wish = (wish.map { min($0.since, now) } ?? now, isFree || wish?.isFree == true)
    }

    /// Counted reloads that it may have within the window.
    func allowance(_ limits: WidgetLimits, at now: Instant) -> Int {
        let base =
            switch (configuration.place, configuration.viewing) {
            case (.watchFace, _): limits.complicationReloadsPerDay
            case (.screen, .frequent): limits.reloadsPerDay
            case (.screen, .rare): limits.rareReloadsPerDay
            }
        let isLearning =
            configuration.place == .screen
            && now.milliseconds(since: added) < limits.learningMilliseconds
        return base + (isLearning ? limits.learningReloadsPerDay : 0)
    }

    /// Counted reloads within the window that ends at an instant.
    func used(_ limits: WidgetLimits, at now: Instant) -> Int {
        let start = now.advanced(byMilliseconds: -limits.windowMilliseconds)
        return spent.count { $0 > start }
    }

    /// From when the budget has room, long ago if it has some now; nil if it never has any.
    func affordable(_ limits: WidgetLimits, at now: Instant) -> Instant? {
        let allowance = allowance(limits, at: now)
        guard allowance > 0 else { return nil }
        guard used(limits, at: now) >= allowance else { return Instant(milliseconds: .min) }
        let oldest = spent[spent.count - allowance]
        return oldest.advanced(byMilliseconds: limits.windowMilliseconds)
    }

    mutating func spend(_ limits: WidgetLimits, at now: Instant) {
        let start = now.advanced(byMilliseconds: -limits.windowMilliseconds)
        spent.removeAll { $0 <= start }
        spent.append(now)
    }

    /// Takes an answer: when each entry is up, and when the policy wants the next timeline.
    mutating func take(_ timeline: Timeline<Entry>, _ limits: WidgetLimits, at now: Instant) {
        let entries = timeline.entries.prefix(limits.entriesPerTimeline)
        slots = Self.slots(Array(entries), limits)
        policyDue =
            switch timeline.policy {
            case .atEnd: max(entries.last?.date ?? now, now)
            case .after(let date): max(date, now)
            case .never: nil
            }
    }

    /// Returns the times at which each entry is up: one that comes too soon after another waits,
    /// but never so long that the one before it is shown past its bound; one that is overtaken
    /// while it waits is left out.
    private static func slots(_ entries: [Entry], _ limits: WidgetLimits) -> [Slot] {
        var slots: [Slot] = []
        for (index, entry) in entries.enumerated() {
            var from = entry.date
            if limits.closeEntries == .wait, let last = slots.last {
                let rested = last.from.advanced(
                    byMilliseconds: limits.entrySpacingMilliseconds)
                from = max(from, last.entry.staleAfter.map { min(rested, $0) } ?? rested)
            }
            let next = index + 1 < entries.count ? entries[index + 1].date : nil
            if from > entry.date, let next, next <= from { continue }
            slots.append(Slot(from: from, entry: entry))
        }
        return slots
    }

    /// The entry that is up, nil before the first.
    func current(at now: Instant) -> Entry? {
        slots.last { $0.from <= now }?.entry
    }

    /// Returns the instant at which the next entry comes up.
    func nextSlot(after now: Instant) -> Instant? {
        slots.first { $0.from > now }?.from
    }

    /// Moves what lies ahead of a clock that was set back to now, so that it gains no budget.
    mutating func setBack(to now: Instant) {
        spent = spent.map { min($0, now) }
        added = min(added, now)
        lastReload = lastReload.map { min($0, now) }
        if let asking { self.asking = (asking.request, min(asking.since, now)) }
        if let wish { self.wish = (min(wish.since, now), wish.isFree) }
    }
}
