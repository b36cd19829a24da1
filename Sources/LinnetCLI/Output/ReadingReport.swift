package import Linnet

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

    /// Takes in a response; returns true when it told something of the progress.
    package mutating func take(_ response: ControlResponse) -> Bool {
        switch response {
        case .found(let count): found = Int(clamping: count)
        case .progress(let done, let all): (read, total) = (Int(clamping: done), Int(clamping: all))
        case .records(let records): taken = (taken ?? 0) + records.count
        default: return false
        }
        return true
    }
}
