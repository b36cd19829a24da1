/// The figures and choices of a ``WidgetHost``; what the vendor leaves open is a switch here.
public struct WidgetLimits: Equatable, Sendable {
    /// Milliseconds of a minute.
    public static let minute: Int64 = 60_000
    /// Milliseconds of a day.
    public static let day: Int64 = 86_400_000

    /// The picture between the first unlock after a reboot and the next timeline.
    public enum AfterReboot: Equatable, Sendable {
        /// The timeline of before, at the entry that is due by now.
        case redraw
        /// The placeholder.
        case placeholder
    }

    /// The treatment of entries that follow each other too closely.
    public enum CloseEntries: Equatable, Sendable {
        /// They wait until the entry before them has been up long enough.
        case wait
        /// They are shown at their dates.
        case show
    }

    /// Reloads of a widget that is often looked at, within any 24 hours.
    public var reloadsPerDay = 48
    /// Reloads of a widget on a page that is seldom shown.
    public var rareReloadsPerDay = 12
    /// Reloads of a widget on a watch's face.
    public var complicationReloadsPerDay = 75
    /// Reloads beyond those while the system learns when a new widget is looked at.
    public var learningReloadsPerDay = 12
    /// The time for which it learns, in milliseconds.
    public var learningMilliseconds: Int64 = 3 * day
    /// The window of the budget, in milliseconds, ending now; midnight plays no part.
    public var windowMilliseconds: Int64 = day
    /// Shortest time between two reloads of one widget, in milliseconds.
    public var reloadSpacingMilliseconds: Int64 = 5 * minute
    /// Shortest time for which an entry is up, in milliseconds.
    public var entrySpacingMilliseconds: Int64 = 5 * minute
    /// For how long reloads at a charge are gathered, in milliseconds, to be done together.
    public var coalescingMilliseconds: Int64 = 10_000
    /// The time that a provider may take to answer, in milliseconds.
    public var answerMilliseconds: Int64 = 30_000
    /// Pushes within any 24 hours that reload something.
    public var pushesPerDay = 40
    /// Entries of a timeline that are kept.
    public var entriesPerTimeline = 1_000
    /// The treatment of close entries.
    public var closeEntries = CloseEntries.wait
    /// The picture after a reboot.
    public var afterReboot = AfterReboot.redraw
    /// For how long reloads are ignored after the app was opened from a widget, in milliseconds;
    /// developers have reported 30 seconds, without any error.
    public var deafAfterOpeningMilliseconds: Int64 = 0
    /// True when budget and spacing apply; a widget that is being debugged has none.
    public var areImposed = true

    /// The usual figures.
    public init() {}
}
