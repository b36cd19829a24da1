/// One notification about a dose.
public struct Reminder: Equatable, Sendable {
    /// The kind of notification.
    public enum Kind: String, Equatable, Sendable {
        /// The dose comes soon.
        case upcoming
        /// The time for which the dose was put off is over.
        case snoozed
        /// Nothing was recorded about the dose in time.
        case missed
    }

    /// The actions that a person can choose from the notification.
    public enum Action: String, CaseIterable, Sendable {
        case take, skip, snooze, open
    }

    /// The kind of notification.
    public let kind: Kind
    /// The instant at which it is shown.
    public let fire: Instant
    /// The dose.
    public let dose: DoseLine

    /// The same on every device and in every plan: a reminder that is in a new plan again needs not
    /// be set again, and one that is not is taken back.
    public var id: String { dose.key.stockKey + "#" + kind.rawValue }

    /// The actions that a person can choose: a missed dose cannot be put off.
    public var actions: [Action] {
        kind == .missed ? [.take, .skip, .open] : Action.allCases
    }
}
