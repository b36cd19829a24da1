/// A cut that a device proposed, signed.
struct ProposedCut: Hashable, Sendable {
    var number: Int8
    var proposer: CutAuthor
    /// The batches at or below it.
    var shows: CutSet
    /// The membership records that its proposer knew.
    var records: CutSet
    /// The lives that vote on it.
    var voters: CutSet
}

/// The word of a voter that it shows all of a cut, signed.
struct CutPromise: Hashable, Sendable {
    var cut: Int8
    var author: CutAuthor
    /// All that it showed when it promised.
    var lists: CutSet
    var records: CutSet
    /// Its life began with a copy, and has folded nothing with others yet.
    var isFresh: Bool
}

/// The word of a proposer on which promises settle its cut, signed.
struct CutSettlement: Hashable, Sendable {
    var cut: Int8
    var promises: CutSet
}

/// A membership record.
struct CutRecord: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case admission, removal, lapse, comeback }
    var kind: Kind
    var target: Int8
}
