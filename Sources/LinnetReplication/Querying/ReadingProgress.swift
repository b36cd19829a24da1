import LinnetStorage

/// A function that is told how many things are done, and of how many.
package typealias Telling = (Int, Int) -> Void

/// A function that is told how much of the work on a commit is done, of how much, and how many
/// batches the commit has.
package typealias CommitTelling = (_ done: Int, _ total: Int, _ batches: Int) -> Void

/// A function that is told how many records were read, of how many (0 where nobody knows), and how
/// many of those are in the answer.
package typealias ReadTelling = @Sendable (_ read: Int, _ total: Int, _ found: Int) -> Void

/// The count of the records that are read of a collection, for somebody who is told of it now and
/// then.
struct ReadingProgress: Sendable {
    /// The number of records between two reports.
    private static let pace = 1_000
    /// The number of records that there are to read; nil where nobody knows.
    private let total: Int?
    /// The number of records in the answer at which the reading ends.
    private let most: Int?
    private let tell: ReadTelling?
    private var read = 0
    private var found = 0

    /// Begins to count what is read of so many records, or, without a number, of a part that nobody
    /// has counted. The reading ends earlier when the answer has `most` records; nothing is counted
    /// when there is nobody to tell.
    init(of total: Int?, until most: Int?, _ tell: ReadTelling?) {
        (self.total, self.most, self.tell) = (total, most, tell)
    }

    /// Counts one more record that was read.
    mutating func count() {
        guard let tell else { return }
        read += 1
        if read.isMultiple(of: Self.pace) { tell(read, expected, found) }
    }

    /// Counts one more record that is in the answer.
    mutating func find() { found += 1 }

    /// Reports that nothing more is read.
    func end() { if read > 0 { tell?(read, read, found) } }

    /// The number of records to read, if as many of the rest are in the answer as of those read.
    private var expected: Int {
        let all = total.map { max(read, $0) }
        guard let most, found > 0 else { return all ?? 0 }
        let enough = max(read, Int(min(Double(read) * Double(most) / Double(found), 1e15)))
        return min(all ?? enough, enough)
    }
}

extension RecordReader {
    /// Begins to count what is read of a whole collection, or, without one, of a part that nobody
    /// has counted. Records that have no row yet count, too.
    func progress(
        over collection: UInt32?, until most: Int? = nil, _ tell: ReadTelling?
    ) throws(StorageError) -> ReadingProgress {
        guard tell != nil, let collection else {
            return ReadingProgress(of: nil, until: most, tell)
        }
        let rows = try store.recordCount(collection: collection)
        let changed = overlay.changedCount(in: collection)
        return ReadingProgress(of: max(rows, changed), until: most, tell)
    }
}
