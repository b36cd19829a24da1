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
    /// The batches that are said again once it shows; nil while none of its parts says others
    /// again.
    var restatements: Restatements?
    /// The parts that were merged.
    private(set) var merged: [Merged] = []

    /// A part that was merged.
    struct Merged {
        /// The number of its operations; nil for a damaged one.
        let operations: Int?
        /// The batch that it says again, if it does.
        let restates: Restatement?
    }

    init(
        _ parts: [VisibleBatch], _ chains: ChainIndex, _ overlay: Overlay,
        _ progress: ShowingProgress
    ) {
        self.parts = parts
        self.overlay = overlay
        self.progress = progress
        weightBefore = overlay.dirtyWeight
        began = OrderedTable(chains.rows.values.lazy.map { ($0.key, $0.applied + 1) })
        if parts.contains(where: \.restates) { restatements = chains.restatements }
    }

    /// The next part that is merged; nil when all are.
    var next: VisibleBatch? { merged.count < parts.count ? parts[merged.count] : nil }

    /// Returns true when it takes more memory than one record may: the rest of it has to be merged
    /// into the records that show, whose rows can be written meanwhile.
    func isTooLarge(_ policy: FoldPolicy) -> Bool {
        overlay.dirtyWeight - weightBefore > policy.largestRecord
    }

    /// Notes that the next part was merged, or was found damaged.
    mutating func noteMerged(_ body: BatchBody?) {
        merged.append(Merged(operations: body?.operations.count, restates: body?.restates))
    }

    /// Returns the chains as they are while its next part is merged: with the parts before it
    /// shown.
    func chains(from index: ChainIndex) -> ChainIndex {
        guard let restatements else { return index }
        var chains = index
        chains.restatements = restatements
        var reached = OrderedTable<ChainKey, UInt64>()
        for part in parts.prefix(merged.count) { reached[part.row.key] = part.seq }
        for (key, seq) in reached { chains.advance(key, to: seq) }
        return chains
    }

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
