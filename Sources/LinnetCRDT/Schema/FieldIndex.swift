/// How a device finds records by a field without reading all of them.
///
/// An index belongs to one device's database: it is no part of what devices exchange, and can be
/// added and taken away at any time.
public enum FieldIndex: String, Sendable, CaseIterable {
    /// The values stand readable in the database file, in their order: for exact matches, ranges,
    /// beginnings and sorting. Only for fields that need not be hidden from whoever reads the disk.
    case clear
    /// The values stand as keyed hashes: for exact matches alone. What shows is which records have
    /// equal values, and how many.
    case blind
}
