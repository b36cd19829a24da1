import LinnetFaces
import LinnetMedication

/// W2: no widget has more reloads in any 24 hours than its place allows.
///
/// Counts the requests that leave the host, in windows of its own; what is free of charge it knows
/// from what happened to the device.
struct WidgetBudgets {
    private struct Widget {
        var configuration: WidgetConfiguration
        var added: Instant
        /// True when something asked for a reload that is not counted.
        var isFree = true
        var counted: [Instant] = []
        var last: Instant?
    }

    private static let minute: Int64 = 60_000
    private static let day = 1_440 * minute
    private static let spacing = 5 * minute

    var isInForeground = false
    var hasSession = false
    /// The widget that comes into view just now.
    var viewed: WidgetID?
    private var widgets: [WidgetID: Widget] = [:]

    mutating func added(_ id: WidgetID, _ configuration: WidgetConfiguration, at now: Instant) {
        widgets[id] = Widget(configuration: configuration, added: now)
    }

    /// The next reload of a widget costs nothing.
    mutating func isFree(_ id: WidgetID) { widgets[id]?.isFree = true }

    /// The host asks for a timeline.
    mutating func asked(_ id: WidgetID, at now: Instant, _ device: Int) throws(Violation) {
        guard var widget = widgets[id] else { return }
        let last = widget.last
        let isFree = widget.isFree || isInForeground || hasSession
        widget.last = now
        widget.isFree = false
        if !isFree { widget.counted.append(now) }
        widget.counted.removeAll { now.milliseconds(since: $0) >= WidgetBudgets.day }
        widgets[id] = widget
        guard !isFree else { return }
        if viewed != id, let last, now.milliseconds(since: last) < WidgetBudgets.spacing {
            throw Violation(
                .widgetBudgets, "widget \(id.number) was reloaded twice within five minutes",
                devices: [device])
        }
        let allowed = allowance(of: widget, id, at: now)
        guard widget.counted.count > allowed else { return }
        throw Violation(
            .widgetBudgets,
            "widget \(id.number) had \(widget.counted.count) reloads in a day, not \(allowed)",
            devices: [device])
    }

    private func allowance(of widget: Widget, _ id: WidgetID, at now: Instant) -> Int {
        guard widget.configuration.place == .screen else { return 75 }
        let isRare = widget.configuration.viewing == .rare && viewed != id
        let isNew = now.milliseconds(since: widget.added) < 3 * WidgetBudgets.day
        return (isRare ? 12 : 48) + (isNew ? 12 : 0)
    }
}
