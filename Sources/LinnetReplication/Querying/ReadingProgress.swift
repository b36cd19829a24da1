import LinnetStorage

/// A function that is told how many things are done, and of how many.
package typealias Telling = (Int, Int) -> Void

/// A function that is told how much of the work on a commit is done, of how much, and how many
/// batches the commit has.
package typealias CommitTelling = (_ done: Int, _ total: Int, _ batches: Int) -> Void

/// A function that is told how many records were read, of how many, and how many of those are in
/// the answer.
package typealias ReadTelling = (_ read: Int, _ total: Int, _ found: Int) -> Void

/// The count of the records that are read of a collection, for somebody who is told of it now and
/// then.
struct ReadingProgress {
    /// The number of records between two reports.
    private static let pace = 1_000
    private let total: Int
    private let tell: ReadTelling?
    private var read = 0
    private var found = 0

    /// Begins to count; nothing is counted when there is nobody to tell.
    init(
        _ store: any Store, collection: UInt32, _ tell: ReadTelling?
    ) throws(StorageError) {
        self.tell = tell
        total = tell == nil ? 0 : try store.recordCount(collection: collection)
    }

    /// Counts one more record that was read.
    mutating func count() {
        guard let tell else { return }
        read += 1
        if read.isMultiple(of: Self.pace) { tell(read, max(read, total), found) }
    }

    /// Counts one more record that is in the answer.
    mutating func find() { found += 1 }
}
