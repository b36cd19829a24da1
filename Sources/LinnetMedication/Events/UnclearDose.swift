public import LinnetCRDT

/// The reason for which nobody can tell which dose a plain tap means.
public struct UnclearDose: Equatable, Sendable {
    /// The obstacle.
    public enum Reason: String, Equatable, Sendable {
        /// The nearest dose comes more than an hour later.
        case early
        /// The nearest dose was due more than an hour ago.
        case late
        /// The nearest dose was recorded already.
        case recorded
        /// No dose is due within a day.
        case nothingDue
    }

    /// The medication.
    public let medication: RecordID
    /// The obstacle.
    public let reason: Reason
    /// The dose that is nearest in time; nil where none is due within a day.
    public let nearest: DoseLine?
}
