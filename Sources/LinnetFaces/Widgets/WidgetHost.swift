public import LinnetMedication
import LinnetWire

/// Stands for WidgetKit: decides when widgets are asked for timelines and shows their entries.
///
/// A value; the shell feeds it inputs with the wall clock and performs the effects. Apple's page
/// "Keeping a widget up to date" describes what it keeps to; docs/companion-widgets.md lists every
/// sentence with its test.
public struct WidgetHost<Entry: TimelineEntry>: Sendable {
    /// The figures and choices.
    public let limits: WidgetLimits
    /// True when nothing has been unlocked since the device started.
    public private(set) var isLocked = false
    private var widgets = OrderedTable<WidgetID, WidgetInstance<Entry>>()
    private var isInForeground = false
    private var hasSession = false
    private var pushes: [Instant] = []
    private var deafUntil: Instant?
    private var lastRequest = 0
    private var now = Instant(milliseconds: Int64.min / 4)

    /// A host without widgets.
    public init(_ limits: WidgetLimits = WidgetLimits()) {
        self.limits = limits
    }

    /// The widgets that people have put somewhere, as `WidgetCenter.getCurrentConfigurations`.
    public var currentConfigurations: [(id: WidgetID, configuration: WidgetConfiguration)] {
        widgets.map { ($0.key, $0.value.configuration) }
    }

    /// Returns what a widget shows; nil if there is no such widget.
    public func shown(_ id: WidgetID) -> Shown<Entry>? { widgets[id]?.shown }

    /// Counted reloads that a widget has left in the 24 hours that end now; nil if there is no
    /// such widget.
    public func reloadsLeft(_ id: WidgetID, at now: Instant) -> Int? {
        widgets[id].map { max(0, $0.allowance(limits, at: now) - $0.used(limits, at: now)) }
    }

    /// The instant at which the host wants to be woken; nil while only the outside can change
    /// anything.
    public var deadline: Instant? {
        var earliest = nextReload
        for (_, widget) in widgets {
            let moments = [
                isLocked ? nil : widget.nextSlot(after: now), widget.asking.map(answerBy),
            ]
            for moment in moments.compactMap(\.self) {
                earliest = earliest.map { min($0, moment) } ?? moment
            }
        }
        return earliest
    }

    /// Takes an input at an instant of the wall clock and says what to do.
    public mutating func handle(
        _ input: WidgetInput<Entry>, at instant: Instant
    ) -> [WidgetEffect<Entry>] {
        if instant < now { setBack(to: instant) }
        now = instant
        var effects: [WidgetEffect<Entry>] = []
        take(input, &effects)
        giveUpOnSilent()
        ask(&effects)
        show(&effects)
        return effects
    }

    private mutating func take(
        _ input: WidgetInput<Entry>, _ effects: inout [WidgetEffect<Entry>]
    ) {
        switch input {
        case .added(let id, let configuration):
            widgets[id] = WidgetInstance(configuration, added: now)
            widgets[id]?.want(at: now, isFree: true)
            effects.append(.show(id, .placeholder))
        case .removed(let id):
            if widgets.removeValue(forKey: id) != nil { effects.append(.hide(id)) }
        case .reload(let kind): request { $0.configuration.kind == kind }
        case .reloadAll: request { _ in true }
        case .app(let isInForeground): self.isInForeground = isInForeground
        case .session(let isActive): hasSession = isActive
        case .intentPerformed(let id), .animated(let id), .standBy(let id):
            widgets[id]?.want(at: now, isFree: true)
        case .changed: wantAll(isFree: true)
        case .viewed(let id): view(id, &effects)
        case .pushed: push()
        case .openedFromWidget:
            deafUntil = now.advanced(byMilliseconds: limits.deafAfterOpeningMilliseconds)
        case .rebooted: reboot()
        case .unlocked: unlock()
        case .timeline(let id, let request, let timeline): answer(id, request, timeline)
        case .failed(let id, let request):
            if widgets[id]?.asking?.request == request { fail(id) }
        case .wake: break
        }
    }

    // MARK: What asks for reloads

    private var isFreeOfCharge: Bool { isInForeground || hasSession }

    private mutating func request(_ isMeant: (WidgetInstance<Entry>) -> Bool) {
        if let deafUntil, now < deafUntil { return }
        let isFree = isFreeOfCharge
        for (id, widget) in widgets where isMeant(widget) {
            widgets[id]?.want(at: now, isFree: isFree)
        }
    }

    private mutating func wantAll(isFree: Bool) {
        for id in widgets.keys { widgets[id]?.want(at: now, isFree: isFree) }
    }

    private mutating func push() {
        let start = now.advanced(byMilliseconds: -limits.windowMilliseconds)
        pushes.removeAll { $0 <= start }
        guard !limits.areImposed || pushes.count < limits.pushesPerDay else { return }
        pushes.append(now)
        wantAll(isFree: false)
    }

    /// A widget whose page was seldom shown is brought up to date when it is looked at.
    private mutating func view(_ id: WidgetID, _ effects: inout [WidgetEffect<Entry>]) {
        guard !isLocked, let widget = widgets[id], widget.configuration.viewing == .rare,
            widget.asking == nil, let wanted = widget.wanted, wanted <= now
        else { return }
        var often = widget
        often.configuration.viewing = .frequent
        if let room = often.affordable(limits, at: now), room <= now {
            ask(id, &effects)
        }
    }

    private mutating func reboot() {
        isLocked = true
        isInForeground = false
        hasSession = false
        for id in widgets.keys {
            if widgets[id]?.asking != nil { fail(id) }
            if limits.afterReboot == .placeholder { widgets[id]?.slots = [] }
        }
    }

    private mutating func unlock() {
        guard isLocked else { return }
        isLocked = false
        wantAll(isFree: false)
    }

    private mutating func setBack(to instant: Instant) {
        for id in widgets.keys { widgets[id]?.setBack(to: instant) }
        pushes = pushes.map { min($0, instant) }
        let deaf = instant.advanced(byMilliseconds: limits.deafAfterOpeningMilliseconds)
        deafUntil = deafUntil.map { min($0, deaf) }
    }

    // MARK: Asking

    /// From when a widget may be asked at a charge; nil while nobody wants it.
    private func ready(_ widget: WidgetInstance<Entry>) -> Instant? {
        guard widget.asking == nil, let wanted = widget.wanted else { return nil }
        guard limits.areImposed else { return wanted }
        var ready = wanted
        if let last = widget.lastReload {
            ready = max(
                ready, last.advanced(byMilliseconds: limits.reloadSpacingMilliseconds))
        }
        if isFreeOfCharge { return ready }
        return widget.affordable(limits, at: max(now, ready)).map { max(ready, $0) }
    }

    /// The instant of the next reload: one that is free happens at once, others are gathered for a
    /// while, so that those which come due at about one time are done together.
    private var nextReload: Instant? {
        if isLocked { return nil }
        if widgets.contains(where: { $0.value.isAskedForFree }) { return now }
        let first = widgets.compactMap { ready($0.value) }.min()
        guard limits.areImposed else { return first }
        return first.map { $0.advanced(byMilliseconds: limits.coalescingMilliseconds) }
    }

    private mutating func ask(_ effects: inout [WidgetEffect<Entry>]) {
        guard let nextReload, nextReload <= now else { return }
        for (id, widget) in widgets {
            let isReady = ready(widget).map { $0 <= now } ?? false
            if isReady || widget.isAskedForFree { ask(id, &effects) }
        }
    }

    private mutating func ask(_ id: WidgetID, _ effects: inout [WidgetEffect<Entry>]) {
        guard var widget = widgets.removeValue(forKey: id) else { return }
        if widget.wish?.isFree != true && !isFreeOfCharge && limits.areImposed {
            widget.spend(limits, at: now)
        }
        lastRequest += 1
        widget.asking = (lastRequest, now)
        widget.lastReload = now
        widget.wish = nil
        widget.policyDue = nil
        let context = TimelineContext(family: widget.configuration.family)
        widgets[id] = widget
        effects.append(.ask(id, request: lastRequest, context))
    }

    private func answerBy(_ asking: (request: Int, since: Instant)) -> Instant {
        asking.since.advanced(byMilliseconds: limits.answerMilliseconds)
    }

    private mutating func answer(_ id: WidgetID, _ request: Int, _ timeline: Timeline<Entry>) {
        guard var widget = widgets.removeValue(forKey: id) else { return }
        if widget.asking?.request == request {
            widget.asking = nil
            widget.take(timeline, limits, at: now)
        }
        widgets[id] = widget
    }

    /// A request without an answer: what is up stays up, and the widget is asked again later.
    private mutating func fail(_ id: WidgetID) {
        widgets[id]?.asking = nil
        widgets[id]?.want(at: now, isFree: false)
    }

    private mutating func giveUpOnSilent() {
        for (id, widget) in widgets {
            if let asking = widget.asking, answerBy(asking) <= now { fail(id) }
        }
    }

    // MARK: Showing

    private mutating func show(_ effects: inout [WidgetEffect<Entry>]) {
        for (id, widget) in widgets {
            let shown: Shown<Entry> =
                isLocked
                ? .locked : widget.current(at: now).map(Shown.entry) ?? .placeholder
            guard shown != widget.shown else { continue }
            widgets[id]?.shown = shown
            effects.append(.show(id, shown))
        }
    }
}
