/// Some of the records that a query finds.
public struct RecordPage: Equatable, Sendable {
    /// The records, in the order of the query.
    public let records: [Record]
    /// The place of the page, for ``Query/after``; nil when there are no more records.
    ///
    /// The text is opaque, and holds values by which the last record was sorted.
    public let next: String?
}
