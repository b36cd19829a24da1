package import Linnet

/// How far a request for many records is: first all are read, then those in the answer are taken
/// over.
package struct ReadingReport: Equatable {
    /// Records that were read.
    package private(set) var read = 0
    /// Records that there are to read; 0 while nobody knows.
    package private(set) var total = 0
    /// Records in the answer, among those that were read.
    package private(set) var found = 0
    /// Records that were taken over; nil while there are more to read.
    package private(set) var taken: Int?

    /// Nothing is read yet.
    package init() {}

    /// Takes in what a response tells; returns whether it told something of this.
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
