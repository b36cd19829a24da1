public import LinnetMedication

/// A source of the pictures of one kind of widget, as WidgetKit's `TimelineProvider`.
///
/// The instant is an argument because a provider has no clock of its own.
public protocol TimelineProvider: Sendable {
    /// The entries of which its timelines are made.
    associatedtype Entry: TimelineEntry

    /// The shape of the widget without any data, at once.
    func placeholder(in context: TimelineContext, at now: Instant) -> Entry

    /// One picture for a passing situation; in the gallery, where `context.isPreview`, with
    /// sample data.
    func snapshot(in context: TimelineContext, at now: Instant) -> Entry

    /// The entries from now on, and when to ask again.
    func timeline(in context: TimelineContext, at now: Instant) -> Timeline<Entry>
}

/// The surroundings in which a provider draws.
public struct TimelineContext: Equatable, Sendable {
    /// The size of the widget.
    public var family: WidgetFamily
    /// True when the picture is for the gallery, where nobody's data belongs.
    public var isPreview: Bool

    /// A context.
    public init(family: WidgetFamily, isPreview: Bool = false) {
        self.family = family
        self.isPreview = isPreview
    }
}

/// The places where a face is drawn.
public enum WidgetFamily: String, CaseIterable, Equatable, Sendable {
    /// A square on a home screen.
    case small
    /// Two squares wide.
    case medium
    /// A wide slot of a watch face or a lock screen.
    case rectangular
    /// A round slot.
    case circular
    /// The corner of a watch face, along its edge.
    case corner
    /// One line of text.
    case inline
    /// A watch app's whole screen.
    case watch
    /// A phone app's whole screen.
    case phone
}
