import Linnet
package import LinnetControl

/// The progress of a request for many records: first all are read, then those in the answer are
/// taken over.
package struct ReadingReport: Equatable {
    /// The number of records that were read.
    package private(set) var read = 0
    /// The number of records to read in all; 0 while nobody knows.
    package private(set) var total = 0
    /// The number of records in the answer, among those that were read.
    package private(set) var found = 0
    /// The number of records that were taken over; nil while there are more to read.
    package private(set) var taken: Int?

    /// Begins with nothing read.
    package init() {}

    /// Takes in how far reading is.
    package mutating func take(_ progress: ControlProgress) {
        (read, total) = (progress.done, progress.total)
        if let count = progress.found { found = count }
    }

    /// Counts records that were taken over.
    package mutating func take(over count: Int) { taken = (taken ?? 0) + count }
}
