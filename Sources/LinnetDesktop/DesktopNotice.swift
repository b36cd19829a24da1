/// Something to show on the desktop.
package struct DesktopNotice: Equatable, Sendable {
    /// Something that a person can choose from it.
    package struct Action: Equatable, Sendable {
        /// The word that comes back.
        package var key: String
        /// The word that is shown.
        package var label: String

        /// Joins the words.
        package init(_ key: String, _ label: String) {
            (self.key, self.label) = (key, label)
        }
    }

    /// The title, in one line.
    package var title: String
    /// The text below it; shown as it is, never read as markup.
    package var body: String
    /// The actions, in order.
    package var actions: [Action]
    /// True when it must not go away by itself.
    package var isUrgent: Bool

    /// Joins the parts.
    package init(title: String, body: String, actions: [Action] = [], isUrgent: Bool = false) {
        (self.title, self.body) = (title, body)
        (self.actions, self.isUrgent) = (actions, isUrgent)
    }
}

/// Something that happened on the desktop.
package enum DesktopEvent: Equatable, Sendable {
    /// A person chose an action of the notice with this number.
    case chosen(UInt32, action: String)
    /// The notice with this number is gone.
    case closed(UInt32)
    /// Another server shows notices now: what was shown before is gone, and its numbers mean
    /// nothing.
    case serverChanged(isThere: Bool)
    /// The bus is gone, and with it every notice.
    case lost
}

/// The reason why nothing is shown on the desktop.
package enum DesktopError: Error, Equatable, Sendable {
    /// There is no session bus, or it does not answer; the number is that of the system's error.
    case noBus(Int32)
    /// Nobody on the bus shows notices.
    case noServer
    /// The server refused, in its own words.
    case refused(String)
    /// A call of the bus failed; the number is that of the system's error.
    case failed(String, Int32)
}
