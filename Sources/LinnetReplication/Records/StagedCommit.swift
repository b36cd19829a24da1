import LinnetCRDT
import LinnetStorage
import LinnetWire

/// A commit of several parts that is merged over more than one call, into records of its own.
struct StagedCommit {
    /// All parts, in the order in which they are merged.
    let parts: [VisibleBatch]
    /// The first sequence number of each chain that did not show when the commit was staged.
    let began: OrderedTable<ChainKey, UInt64>
    /// The records as they will stand.
    var overlay: Overlay
    private let weightBefore: Int
    /// The events that are told once it shows.
    var outbox = Outbox()
    /// The records that were set aside for their size.
    var setAside: [RecordKey] = []
    var progress: ShowingProgress
    /// The number of operations of each part that was merged; nil for a damaged one.
    private(set) var merged: [Int?] = []

    init(
        _ parts: [VisibleBatch], _ chains: ChainIndex, _ overlay: Overlay,
        _ progress: ShowingProgress
    ) {
        self.parts = parts
        self.overlay = overlay
        self.progress = progress
        weightBefore = overlay.dirtyWeight
        began = OrderedTable(chains.rows.values.lazy.map { ($0.key, $0.applied + 1) })
    }

    /// The next part that is merged; nil when all are.
    var next: VisibleBatch? { merged.count < parts.count ? parts[merged.count] : nil }

    /// Returns true when it takes more memory than one record may: the rest of it has to be merged
    /// into the records that show, whose rows can be written meanwhile.
    func isTooLarge(_ policy: FoldPolicy) -> Bool {
        overlay.dirtyWeight - weightBefore > policy.largestRecord
    }

    /// Notes that the next part was merged, or was found damaged.
    mutating func noteMerged(_ body: BatchBody?) { merged.append(body?.operations.count) }

    /// Puts its records in the place of those that show, and back. No row is written meanwhile.
    mutating func trade(with book: inout RecordBook, _ others: inout Outbox) {
        swap(&overlay, &book.overlay)
        swap(&setAside, &book.setAside)
        swap(&outbox, &others)
    }

    /// Lets its records show.
    mutating func takePlace(in book: inout RecordBook) {
        book.overlay = overlay
        // An overlay that is held twice is copied when it changes.
        overlay = Overlay(seed: 0)
        book.setAside += setAside
        // Records that an order was made of show something else now.
        book.lines.forget()
    }
}
