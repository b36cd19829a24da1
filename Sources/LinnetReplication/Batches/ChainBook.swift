import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The chains that a replica holds: their heads and holes, what of them is damaged, forked or
/// proven, what a power cut could take, and what waits to be stored or shown.
struct ChainBook {
    /// This device, whose own batches need no proof.
    let device: DeviceID
    /// The chains as the store keeps them.
    var index: ChainIndex
    /// Chains with batches that a power cut could still take, and the first such sequence.
    var undurable: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// Received batches that a power cut could still take.
    var catchUp: CatchUp?
    /// Opened batches whose dependencies are missing, one for each chain.
    var blocked: OrderedTable<ChainKey, BlockedBatch> = OrderedTable()
    /// How far the parts of a waiting commit were looked at.
    var taggedUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// Stored batches that were found damaged since the opening, by chain and sequence.
    var damaged: OrderedTable<ChainKey, OrderedSet<UInt64>> = OrderedTable()
    /// Batches of others that may be handed on.
    private var proven = ProvenBatches()
    /// Whether batches may wait outside of the chains.
    var hasPending = true
    /// Whether all that waits was tried since opening: only what is written lets more go on.
    var hasSettled = false
    /// Whether all that shows has to be made anew.
    var isStale: Bool

    init(_ stored: [ChainRow], device: DeviceID, isStale: Bool) {
        self.device = device
        index = ChainIndex(stored)
        self.isStale = isStale
    }

    /// Every chain, by scope and name.
    var rows: OrderedTable<ChainKey, ChainRow> { index.rows }

    subscript(key: ChainKey) -> ChainRow? { index.rows[key] }

    /// Forgets what a rolled-back transaction left in memory.
    mutating func reload(_ stored: [ChainRow]) {
        index = ChainIndex(stored)
        blocked.removeAll()
        taggedUpTo.removeAll()
    }

    /// Looks at all that waits again: another schema or other scopes may let it go on.
    mutating func beginAnew() {
        blocked.removeAll()
        taggedUpTo.removeAll()
        hasSettled = false
    }

    /// Writes the chains that changed in the open transaction.
    mutating func save(to store: any Store) throws(StorageError) {
        for key in index.takeChanged() {
            if let row = index[key] { try store.updateChain(row) }
        }
    }

    /// A chain shows what it holds up to a sequence.
    mutating func advance(_ key: ChainKey, to seq: UInt64) {
        guard var row = index[key] else { return }
        row.applied = seq
        index[key] = row
    }

    /// The rows of records hold what these chains showed up to these sequences.
    mutating func folded(_ marks: RowFold.Marks) {
        for (key, seq) in marks {
            guard var row = index[key], row.folded < seq else { continue }
            row.folded = seq
            index[key] = row
        }
    }

    /// Notes that a batch's own signature was looked at.
    mutating func prove(_ id: BatchID) { proven.insert(id) }

    /// Whether a stored batch carries its author's signature, which is not looked at when a later
    /// one spoke for it; without one it counts as damaged.
    mutating func isProven(_ batch: SealedBatch) -> Bool {
        if batch.header.device == device || proven.contains(batch.id) { return true }
        guard batch.isSigned else { return false }
        proven.insert(batch.id)
        return true
    }

    /// Forgets the batches of a chain, as if none of them had ever come.
    mutating func empty(_ key: ChainKey, in store: any Store) throws(StorageError) {
        guard let row = index[key] else { return }
        var empty = row
        if row.first == 1 {
            empty.head = .zero
        } else if let first = try store.batch(chain: row.index, seq: row.first) {
            empty.head = first.prev
        }
        (empty.stored, empty.applied, empty.folded) = (row.first - 1, row.first - 1, row.first - 1)
        try store.removeBatches(chain: row.index)
        try store.updateChain(empty)
        index[key] = empty
        damaged[key] = nil
        undurable[key] = nil
    }
}
