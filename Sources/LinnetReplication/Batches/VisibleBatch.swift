import LinnetCRDT
import LinnetStorage

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
    private(set) var content: Content
    /// The work of merging it, in changes of single values.
    var work = 0
    /// True when it says another one again.
    var restates = false

    /// Lets go of its content, which is opened again when its turn comes.
    mutating func close() {
        if case .opened = content { content = .closed }
    }

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

extension BatchBody {
    /// The work of merging it, in changes of single values: an edit of a text takes as long as
    /// eight of them, and 512 decoded bytes as long as one.
    var mergingWork: Int {
        let isEdit = operations.shapes.map { shape in
            let kind = OperationKind(rawValue: shape.kind)
            return kind == .textInsert || kind == .textDelete || kind == .textCopy
        }
        return operations.entries.reduce(decodedBytes / 512) { $0 + (isEdit[$1.shape] ? 8 : 1) }
    }

    /// The work of decrypting and decoding it, in the same unit.
    var openingWork: Int { operations.count / 2 + decodedBytes / 512 }
}
