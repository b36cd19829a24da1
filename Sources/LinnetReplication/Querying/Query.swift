/// One field by which records are sorted.
public struct SortKey: Equatable, Sendable {
    /// The field, named as in ``Condition``.
    public let field: String
    /// Whether the largest value comes first.
    public let isDescending: Bool

    /// Names a field and a direction.
    public init(_ field: String, descending: Bool = false) {
        self.field = field
        isDescending = descending
    }
}

/// Which records are wanted, in what order, and how many of them.
///
/// Records that refer to one that has not arrived, or that is deleted, are left out unless
/// `showsDetached` says otherwise. Without `sort` the order is that of the identifiers' bytes,
/// which also decides between records that sort alike; a field without value sorts first.
public struct Query: Equatable, Sendable {
    /// The name of the collection.
    public var collection: String
    /// What the records have to be like; nil takes all.
    public var condition: Condition?
    /// By which fields they are sorted, the most important first.
    public var sort: [SortKey]
    /// Where an earlier page ended, as it said; nil begins with the first record.
    public var after: String?
    /// How many are left out at the beginning.
    public var offset: Int
    /// How many there are at most; nil sets no limit.
    public var limit: Int?
    /// Whether records count whose parent is missing or deleted.
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
