public import LinnetCRDT

/// What a query reads to find its records.
public enum QueryPlan: Equatable, Sendable {
    /// What an index is used for.
    public enum Use: UInt8, Sendable {
        /// To find the records with one value.
        case exact = 0
        /// To find those between two values, or with one beginning.
        case range = 1
        /// To read in the order of the field until there are enough.
        case order = 2
    }

    /// Every record of the collection.
    case scan
    /// The records in order of their identifiers, until there are enough.
    case identifiers
    /// The records that the index of a field names.
    case index(field: String, FieldIndex, Use)
}
