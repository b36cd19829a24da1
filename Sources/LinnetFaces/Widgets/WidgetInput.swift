/// An input that the shell gives a ``WidgetHost``.
public enum WidgetInput<Entry: TimelineEntry>: Sendable {
    /// A person put a widget somewhere.
    case added(WidgetID, WidgetConfiguration)
    /// A person took a widget away.
    case removed(WidgetID)
    /// The app asked for new timelines of one kind; nothing answers it.
    case reload(kind: String)
    /// The app asked for new timelines of every kind.
    case reloadAll
    /// The app came to the foreground or left it.
    case app(isInForeground: Bool)
    /// The app's audio or navigation session began or ended.
    case session(isActive: Bool)
    /// The widget performed an intent of the app: somebody pressed its button.
    case intentPerformed(WidgetID)
    /// The widget wants a reload for an animation of its own.
    case animated(WidgetID)
    /// StandBy wants the widget redrawn.
    case standBy(WidgetID)
    /// Something changed for the whole device.
    case changed(WidgetSurroundings)
    /// The widget came into view.
    case viewed(WidgetID)
    /// A push arrived; it carries no data.
    case pushed
    /// The app was opened from a widget.
    case openedFromWidget
    /// The device started again; its files stay closed until it is unlocked once.
    case rebooted
    /// The device was unlocked.
    case unlocked
    /// A provider's answer to a request.
    case timeline(WidgetID, request: Int, Timeline<Entry>)
    /// A provider could not answer a request.
    case failed(WidgetID, request: Int)
    /// Time has passed; expected at ``WidgetHost/deadline``.
    case wake
}

/// A change of the whole device, which reloads every widget without a charge.
public enum WidgetSurroundings: CaseIterable, Equatable, Sendable {
    /// The language or the region.
    case locale
    /// The size of text or another aid.
    case accessibility
    /// Midnight, a new time zone, a set clock.
    case significantTime
    /// The device is at another place.
    case significantLocation
}

/// A request of a ``WidgetHost`` to the shell.
public enum WidgetEffect<Entry: TimelineEntry>: Equatable, Sendable {
    /// Ask the widget's provider for a timeline and hand back the answer with the request's number.
    case ask(WidgetID, request: Int, TimelineContext)
    /// Show this from now on, without asking anybody.
    case show(WidgetID, Shown<Entry>)
    /// The widget is no more.
    case hide(WidgetID)
}

/// The picture of a widget.
public enum Shown<Entry: TimelineEntry>: Equatable, Sendable {
    /// The shape without data, before the first timeline.
    case placeholder
    /// Nothing that a locked device may not show.
    case locked
    /// An entry of the timeline.
    case entry(Entry)
}
