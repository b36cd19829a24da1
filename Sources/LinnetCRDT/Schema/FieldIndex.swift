/// The means by which a device finds records by a field without reading all of them.
///
/// An index belongs to one device's database. It is no part of what devices exchange, and can be
/// added and taken away at any time.
public enum FieldIndex: String, Sendable, CaseIterable {
    /// The values stand readable in the database file, in their order, and serve exact matches,
    /// ranges, beginnings and sorting. This is only for fields that need not be hidden from whoever
    /// reads the disk.
    case clear
    /// The values stand as keyed hashes, and serve exact matches alone. Whoever reads the disk
    /// learns only which records have equal values, and how many do.
    case blind
}
