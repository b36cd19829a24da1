/// The reason for which bytes are refused as a time zone file (RFC 9636).
public enum ZoneFault: Error, Equatable, Sendable {
    /// More bytes than `ZoneRules.maximumBytes`.
    case tooLarge
    /// The bytes do not begin as a time zone file of a known version.
    case notAZone
    /// The bytes end before all of what their header announces.
    case truncated
    /// Numbers in a header that no zone can have.
    case badCounts
    /// The times count leap seconds, as in the `right/` zones; instants here do not.
    case leapSeconds
    /// Transitions that are not in ascending order, out of range, or to a missing type.
    case badTransition
    /// A type of local time with an impossible offset, flag or abbreviation.
    case badLocalTimeType
    /// The text at the end is not a rule for the years after the last transition.
    case badFooter
}
