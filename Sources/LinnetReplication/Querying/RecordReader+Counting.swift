import LinnetCRDT
package import LinnetStorage

extension RecordReader {
    /// Returns the number of live records of a collection: that of its live rows, and what the
    /// records make of it that changed since their rows were written.
    ///
    /// This looks at the changed records alone, however many rows there are, and opens the rows of
    /// those among them that came back to life.
    package func liveCount(of collection: UInt32) throws(StorageError) -> Int {
        var count = try store.liveRowCount(collection: collection)
        try overlay.forEachChanged(in: collection) { (held) throws(StorageError) in
            let life = try store.rowLife(collection: collection, id: held.state.record)
            let (wasLive, isLive): (Bool, Bool)
            switch life {
            case .none: (wasLive, isLive) = (false, held.state.isLive)
            // Changes that were merged without the row are writes, which end no life.
            case .live: (wasLive, isLive) = (true, held.isWhole ? held.state.isLive : true)
            case .deleted: (wasLive, isLive) = (false, try whole(held).isLive)
            }
            count += (isLive ? 1 : 0) - (wasLive ? 1 : 0)
        }
        return count
    }
}
