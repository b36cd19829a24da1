import LinnetCRDT
import LinnetStorage
import LinnetWire

/// A batch whose operations become visible.
struct VisibleBatch {
    /// The content, as far as it is at hand.
    enum Content {
        case opened(BatchRow, BatchBody)
        /// It opened before, and is opened again when its turn comes: a commit may be larger than
        /// the memory.
        case closed
        /// Its bytes are damaged.
        case damaged(BatchRow)
    }

    let row: ChainRow
    let seq: UInt64
    let content: Content

    /// Returns the batch and its content, which is nil when the bytes are damaged.
    func read(
        of group: GroupState, in store: any Store
    ) throws(StorageError) -> (stored: BatchRow, body: BatchBody?) {
        switch content {
        case .opened(let stored, let body): return (stored, body)
        case .damaged(let stored): return (stored, nil)
        case .closed:
            guard let stored = try store.batch(chain: row.index, seq: seq) else {
                throw .corrupt(where: "batch \(seq) of chain \(row.chain) is missing")
            }
            return (stored, group.body(of: stored, in: row))
        }
    }
}
