/// One notification about a dose.
package struct Reminder: Equatable, Sendable {
    /// What the notification says.
    package enum Kind: String, Equatable, Sendable {
        /// The dose comes soon.
        case upcoming
        /// The time for which the dose was put off is over.
        case snoozed
        /// Nothing was recorded about the dose in time.
        case missed
    }

    /// What a person can do from the notification.
    package enum Action: String, CaseIterable, Sendable {
        case take, skip, snooze, open
    }

    /// What it says.
    package let kind: Kind
    /// When it is shown.
    package let fire: Instant
    /// The dose.
    package let dose: DoseLine

    /// The same on every device and in every plan: a reminder that is in a new plan again needs not
    /// be set again, and one that is not is taken back.
    package var id: String { dose.key.stockKey + "#" + kind.rawValue }

    /// What a person can do: a missed dose cannot be put off.
    package var actions: [Action] {
        kind == .missed ? [.take, .skip, .open] : Action.allCases
    }
}
