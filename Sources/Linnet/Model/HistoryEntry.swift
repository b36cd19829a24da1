public import LinnetCRDT

/// One change of a record, as it was written.
public struct HistoryEntry: Equatable, Sendable {
    /// What a change did.
    public typealias Action = OperationAction

    /// What became of a change.
    public enum Fate: Equatable, Sendable {
        /// It shows, or is a part of what shows.
        case shows
        /// Another change took its place; the identifier of that one, when it is known.
        case lost(to: String?)
        /// It belongs to the record as it was before a delete.
        case deleted
        /// It contradicts the schema, and has no effect anywhere; the text says how.
        case quarantined(String)
        /// A newer version of the application or of Linnet knows what it means.
        case unknown
        /// It is stored here, but something that it builds on is missing; the text says what.
        case waiting(String)
    }

    /// What names the change among all.
    public let id: String
    /// The field's name; nil for a change of the record as a whole.
    public let field: String?
    /// What it did.
    public let action: Action
    /// The value, amount, element or text that was written; a list for a group or a log's record.
    public let value: Value?
    /// What a tally's amount was for.
    public let key: String?
    /// The device that wrote it.
    public let device: Device
    /// When it was written, by that device's clock, in Unix milliseconds.
    public let writtenMilliseconds: Int64
    /// The time under which it is compared with others, in Unix milliseconds: that of writing, or
    /// right after what it was written over.
    public let stampMilliseconds: Int64
    /// What became of it.
    public let fate: Fate

    /// Joins the facts.
    public init(
        id: String, field: String?, action: Action, value: Value?, key: String?, device: Device,
        writtenMilliseconds: Int64, stampMilliseconds: Int64, fate: Fate
    ) {
        self.id = id
        self.field = field
        self.action = action
        self.value = value
        self.key = key
        self.device = device
        self.writtenMilliseconds = writtenMilliseconds
        self.stampMilliseconds = stampMilliseconds
        self.fate = fate
    }
}
