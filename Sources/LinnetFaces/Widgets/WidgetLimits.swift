/// The figures and choices of a ``WidgetHost``; what the vendor leaves open is a switch here.
package struct WidgetLimits: Equatable, Sendable {
    /// Milliseconds of a minute.
    package static let minute: Int64 = 60_000
    /// Milliseconds of a day.
    package static let day: Int64 = 86_400_000

    /// The picture between the first unlock after a reboot and the next timeline.
    package enum AfterReboot: Equatable, Sendable {
        /// The timeline of before, at the entry that is due by now.
        case redraw
        /// The placeholder.
        case placeholder
    }

    /// The treatment of entries that follow each other too closely.
    package enum CloseEntries: Equatable, Sendable {
        /// They wait until the entry before them has been up long enough.
        case wait
        /// They are shown at their dates.
        case show
    }

    /// Reloads of a widget that is often looked at, within any 24 hours.
    package var reloadsPerDay = 48
    /// Reloads of a widget on a page that is seldom shown.
    package var rareReloadsPerDay = 12
    /// Reloads of a widget on a watch's face.
    package var complicationReloadsPerDay = 75
    /// Reloads beyond those while the system learns when a new widget is looked at.
    package var learningReloadsPerDay = 12
    /// The time for which it learns, in milliseconds.
    package var learningMilliseconds: Int64 = 3 * day
    /// The window of the budget, in milliseconds, ending now; midnight plays no part.
    package var windowMilliseconds: Int64 = day
    /// Shortest time between two reloads of one widget, in milliseconds.
    package var reloadSpacingMilliseconds: Int64 = 5 * minute
    /// Shortest time for which an entry is up, in milliseconds.
    package var entrySpacingMilliseconds: Int64 = 5 * minute
    /// For how long reloads at a charge are gathered, in milliseconds, to be done together.
    package var coalescingMilliseconds: Int64 = 10_000
    /// The time that a provider may take to answer, in milliseconds.
    package var answerMilliseconds: Int64 = 30_000
    /// Pushes within any 24 hours that reload something.
    package var pushesPerDay = 40
    /// Entries of a timeline that are kept.
    package var entriesPerTimeline = 1_000
    /// The treatment of close entries.
    package var closeEntries = CloseEntries.wait
    /// The picture after a reboot.
    package var afterReboot = AfterReboot.redraw
    /// For how long reloads are ignored after the app was opened from a widget, in milliseconds;
    /// developers have reported 30 seconds, without any error.
    package var deafAfterOpeningMilliseconds: Int64 = 0
    /// True when budget and spacing apply; a widget that is being debugged has none.
    package var areImposed = true

    /// The usual figures.
    package init() {}
}
