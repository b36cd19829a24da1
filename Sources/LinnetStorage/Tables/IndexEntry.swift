package import LinnetCRDT

/// An entry by which a record is found: one value of one field.
package struct IndexEntry: Comparable, Sendable {
    /// The field.
    package let field: UInt32
    /// The kind of index, which says whether the key is kept as it is or hidden.
    package let kind: FieldIndex
    /// The value's key; nobody but the database sees that of a blind index.
    package let key: [UInt8]

    /// Joins the parts.
    package init(field: UInt32, kind: FieldIndex, key: [UInt8]) {
        self.field = field
        self.kind = kind
        self.key = key
    }

    /// The order by field, then by the bytes of the key.
    package static func < (left: IndexEntry, right: IndexEntry) -> Bool {
        if left.field != right.field { return left.field < right.field }
        return left.key.lexicographicallyPrecedes(right.key)
    }
}

/// A range of keys to look up in an index, both ends included.
package struct IndexSearch: Equatable, Sendable {
    /// The collection.
    package let collection: UInt32
    /// The field.
    package let field: UInt32
    /// The kind of its index; a blind one is searched for one key alone.
    package let kind: FieldIndex
    /// The least key.
    package var lower: [UInt8]
    /// The greatest key.
    package var upper: [UInt8]
    /// True when the greatest key comes first.
    package var isDescending: Bool

    /// Joins the parts.
    package init(
        collection: UInt32, field: UInt32, kind: FieldIndex, lower: [UInt8], upper: [UInt8],
        isDescending: Bool = false
    ) {
        precondition(kind == .clear || lower == upper, "a blind index has no order")
        self.collection = collection
        self.field = field
        self.kind = kind
        self.lower = lower
        self.upper = upper
        self.isDescending = isDescending
    }
}
