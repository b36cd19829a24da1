public import LinnetCRDT

/// The reasons for the value that a field shows.
public struct Explanation: Equatable, Sendable {
    /// The part that a device holds of the changes that show.
    public enum Holding: UInt8, Equatable, Sendable {
        /// The device holds all of them.
        case holds = 1
        /// The device lacks some of them, as far as is known here.
        case lacks = 2
        /// The device has not said what it holds.
        case unknown = 3
    }

    /// A device of the group, with what it holds of the changes that show.
    public struct Holder: Equatable, Sendable {
        /// The device.
        public let device: Device
        /// The part that it holds of them.
        public let holding: Holding

        /// Joins the facts.
        public init(device: Device, holding: Holding) {
            self.device = device
            self.holding = holding
        }
    }

    /// The name of the field.
    public let field: String
    /// The value that shows; nil when none does.
    public let value: Value?
    /// The rule by which changes of the field merge, in a sentence.
    public let rule: String
    /// The changes that show, newest first: one, or several that count together.
    public let winners: [HistoryEntry]
    /// The latest changes that do not show, newest first.
    public let others: [HistoryEntry]
    /// The devices, with what they hold of the changes that show; this device comes first.
    public let holders: [Holder]
    /// The changes that are stored here but do not show yet, and what they wait for, in sentences.
    public let waiting: [String]

    /// Joins the facts.
    public init(
        field: String, value: Value?, rule: String, winners: [HistoryEntry],
        others: [HistoryEntry], holders: [Holder], waiting: [String]
    ) {
        self.field = field
        self.value = value
        self.rule = rule
        self.winners = winners
        self.others = others
        self.holders = holders
        self.waiting = waiting
    }
}
