public import LinnetCRDT

/// The way in which a query finds its records.
public enum QueryPlan: Equatable, Sendable {
    /// The use of an index.
    public enum Use: UInt8, Sendable {
        /// It finds the records with one value.
        case exact = 0
        /// It finds the records between two values, or with one beginning.
        case range = 1
        /// It gives the records in the order of the field until there are enough.
        case order = 2
    }

    /// The query reads every record of the collection.
    case scan
    /// The query reads records in the order of their identifiers until there are enough.
    case identifiers
    /// The query reads the records that the index of a field names.
    case index(field: String, FieldIndex, Use)
}
