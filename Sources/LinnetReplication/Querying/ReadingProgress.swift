import LinnetStorage

/// Is told how many things are done, and of how many.
package typealias Telling = (Int, Int) -> Void

/// Counts what is read of a collection for somebody who is told of it now and then.
struct ReadingProgress {
    /// The records between two words.
    private static let pace = 1_000
    private let total: Int
    private let tell: Telling?
    private var read = 0

    /// Begins to read a collection; without anybody to tell nothing is counted.
    init(
        _ store: any Store, collection: UInt32, _ tell: Telling?
    ) throws(StorageError) {
        self.tell = tell
        total = tell == nil ? 0 : try store.recordCount(collection: collection)
    }

    /// One more record was read.
    mutating func count() {
        guard let tell else { return }
        read += 1
        if read.isMultiple(of: Self.pace) { tell(read, max(read, total)) }
    }
}
