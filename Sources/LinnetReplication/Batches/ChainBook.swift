import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The machine of the chains that a replica holds. It knows their heads, which of their batches are
/// damaged or proven, which a power cut could take, and which wait to be stored or shown.
struct ChainBook {
    /// This device, whose own batches need no proof.
    let device: DeviceID
    /// The chains as the store keeps them.
    var index: ChainIndex
    /// The chains with batches that a power cut could still take, each with the first such sequence
    /// number.
    var undurable: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The received batches that a power cut could still take.
    var catchUp: CatchUp?
    /// The opened batches whose dependencies are missing, one for each chain.
    var blocked: OrderedTable<ChainKey, BlockedBatch> = OrderedTable()
    /// The last sequence number of each chain that was looked at for parts of a waiting commit.
    var taggedUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The stored batches that were found damaged since the opening, by chain and sequence number.
    var damaged: OrderedTable<ChainKey, OrderedSet<UInt64>> = OrderedTable()
    /// The batches of others that may be handed on.
    private var proven = ProvenBatches()
    /// True when batches may wait outside the chains.
    var hasPending = true
    /// True when all that waits was tried since opening, after which only writes let more go on.
    var hasSettled = false
    /// True when all that shows has to be made anew.
    var isStale: Bool

    init(_ stored: [ChainRow], device: DeviceID, isStale: Bool) {
        self.device = device
        index = ChainIndex(stored)
        self.isStale = isStale
    }

    /// The chains by scope and name.
    var rows: OrderedTable<ChainKey, ChainRow> { index.rows }

    subscript(key: ChainKey) -> ChainRow? { index.rows[key] }

    /// Forgets all that a rolled-back transaction left in memory.
    mutating func reload(_ stored: [ChainRow]) {
        index = ChainIndex(stored)
        blocked.removeAll()
        taggedUpTo.removeAll()
    }

    /// Has all that waits looked at again, since another schema or other scopes may let it go on.
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

    /// Notes that a chain shows what it holds up to a sequence number.
    mutating func advance(_ key: ChainKey, to seq: UInt64) {
        guard var row = index[key] else { return }
        row.applied = seq
        index[key] = row
    }

    /// Notes that the rows of records hold what these chains showed up to these sequence numbers.
    mutating func folded(_ marks: RowFold.Marks) {
        for (key, seq) in marks {
            guard var row = index[key], row.folded < seq else { continue }
            row.folded = seq
            index[key] = row
        }
    }

    /// Notes that a batch's own signature was looked at.
    mutating func prove(_ id: BatchID) { proven.insert(id) }

    /// Returns true when a stored batch carries its author's signature, which was not looked at
    /// when a later batch proved it on arrival. Without a signature it counts as damaged.
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
