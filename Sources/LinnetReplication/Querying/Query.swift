/// One field by which records are sorted.
public struct SortKey: Equatable, Sendable {
    /// The field, named as in ``Condition``.
    public let field: String
    /// True when the largest value comes first.
    public let isDescending: Bool

    /// Names a field and a direction.
    public init(_ field: String, descending: Bool = false) {
        self.field = field
        isDescending = descending
    }
}

/// A request for records, with their order and number.
///
/// Records that refer to one that has not arrived, or that is deleted, are left out unless
/// `showsDetached` says otherwise. Without `sort` the order is that of the identifiers' bytes,
/// which also decides between records that sort alike. A field without a value sorts before all
/// values; a record that was never moved in an order comes after all others.
public struct Query: Equatable, Sendable {
    /// The name of the collection.
    public var collection: String
    /// The condition that the records have to meet; nil takes all.
    public var condition: Condition?
    /// The fields by which they are sorted, the most important first.
    public var sort: [SortKey]
    /// The place at which an earlier page ended, as that page gave it; nil begins with the first
    /// record.
    public var after: String?
    /// The number of records that are left out at the beginning.
    public var offset: Int
    /// The largest number of records; nil sets no limit.
    public var limit: Int?
    /// True when records whose parent is missing or deleted count too.
    public var showsDetached: Bool

    /// Describes records of a collection.
    public init(
        _ collection: String, where condition: Condition? = nil, sort: [SortKey] = [],
        after: String? = nil, offset: Int = 0, limit: Int? = nil, showsDetached: Bool = false
    ) {
        self.collection = collection
        self.condition = condition
        self.sort = sort
        self.after = after
        self.offset = offset
        self.limit = limit
        self.showsDetached = showsDetached
    }
}
