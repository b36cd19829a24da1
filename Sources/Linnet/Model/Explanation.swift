public import LinnetCRDT

/// Why a field shows what it shows.
public struct Explanation: Equatable, Sendable {
    /// Whether a device has what shows.
    public enum Holding: UInt8, Equatable, Sendable {
        /// It has everything.
        case holds = 1
        /// It lacks something, as far as is known here.
        case lacks = 2
        /// It has not said what it has.
        case unknown = 3
    }

    /// A device of the group, and whether it has what shows.
    public struct Holder: Equatable, Sendable {
        /// The device.
        public let device: Device
        /// Whether it has what shows.
        public let holding: Holding

        /// Joins the facts.
        public init(device: Device, holding: Holding) {
            self.device = device
            self.holding = holding
        }
    }

    /// The field's name.
    public let field: String
    /// What shows; nil when nothing does.
    public let value: Value?
    /// How changes of the field merge, in a sentence.
    public let rule: String
    /// The changes that show, newest first: one, or several that count together.
    public let winners: [HistoryEntry]
    /// The latest changes that do not show, newest first.
    public let others: [HistoryEntry]
    /// Who has the changes that show, this device first.
    public let holders: [Holder]
    /// What is stored here but does not show yet, and what it waits for, in sentences.
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
