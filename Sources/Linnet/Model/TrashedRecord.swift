/// A deleted record, as a person finds it in the trash.
public struct TrashedRecord: Equatable, Sendable {
    /// The record as it last was, with changes that were made elsewhere before the delete was known
    /// there.
    public let record: Record
    /// The time at which it was deleted, in Unix milliseconds.
    public let deletedMilliseconds: Int64
    /// The device that deleted it; nil when it is not known any more.
    public let deletedBy: Device?
    /// The fields with changes that the delete had not seen.
    public let editedAfter: [String]
}
