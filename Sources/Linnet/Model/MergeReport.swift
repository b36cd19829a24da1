/// The outcome of a merge of another group, or of a look at what one would do.
public struct MergeReport: Equatable, Sendable {
    /// The transactions of the other group that were not here before.
    public var brought = 0
    /// The changes in them.
    public var changes = 0
    /// The transactions that somebody had brought before.
    public var known = 0
    /// The transactions that the other home has and does not show yet; they were not brought.
    public var waiting = 0
    /// The devices of the other group whose names are known here from now on.
    public var devices = 0
    /// The records that were here before and that something was brought of, as collection and
    /// identifier; at most 64. They are looked for before a merge alone.
    public var both: [String] = []
    /// The number of those records.
    public var bothCount = 0

    /// Reports nothing.
    public init() {}
}
