public import LinnetCRDT

/// One change of a record, as it was written.
public struct HistoryEntry: Equatable, Sendable {
    /// The deed of a change.
    public typealias Action = OperationAction

    /// The fate of a change.
    public enum Fate: Equatable, Sendable {
        /// The change shows, or is a part of what shows.
        case shows
        /// Another change took its place; this is the identifier of that one, when it is known.
        case lost(to: String?)
        /// The change belongs to the record as it was before a delete.
        case deleted
        /// The change contradicts the schema, and has no effect anywhere; the text says how.
        case quarantined(String)
        /// A newer version of the application or of Linnet knows what it means.
        case unknown
        /// The change is stored here, but something that it builds on is missing; the text says
        /// what.
        case waiting(String)
    }

    /// The identifier that names the change among all.
    public let id: String
    /// The field's name; nil for a change of the record as a whole.
    public let field: String?
    /// The deed.
    public let action: Action
    /// The value, amount, element or text that was written; a list for a group or a log's record.
    public let value: Value?
    /// The key under which an amount of a tally was counted; nil when it had none.
    public let key: String?
    /// The device that wrote it.
    public let device: Device
    /// The device that brought it from another group; nil for what was written in this group. Then
    /// the writer and the times are what that device says.
    public let broughtBy: Device?
    /// The time of writing by that device's clock, in Unix milliseconds.
    public let writtenMilliseconds: Int64
    /// The time under which it is compared with others, in Unix milliseconds: that of writing, or
    /// one right after the change over which it was written.
    public let stampMilliseconds: Int64
    /// False when the time of writing, or that under which the change is compared, lies further
    /// ahead than clocks that are right may differ: then a clock was wrong, and the time is not
    /// believed.
    public let isTimeBelieved: Bool
    /// The fate of the change.
    public let fate: Fate

    /// Joins the facts.
    public init(
        id: String, field: String?, action: Action, value: Value?, key: String?, device: Device,
        broughtBy: Device? = nil, writtenMilliseconds: Int64, stampMilliseconds: Int64,
        isTimeBelieved: Bool = true, fate: Fate
    ) {
        self.id = id
        self.field = field
        self.action = action
        self.value = value
        self.key = key
        self.device = device
        self.broughtBy = broughtBy
        self.writtenMilliseconds = writtenMilliseconds
        self.stampMilliseconds = stampMilliseconds
        self.isTimeBelieved = isTimeBelieved
        self.fate = fate
    }
}
