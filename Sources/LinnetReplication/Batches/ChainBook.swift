import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The machine of the chains that a replica holds. It knows their heads, which of their batches are
/// damaged or proven, which a power cut could take, and which wait to be stored or shown.
struct ChainBook {
    /// This device.
    let device: DeviceID
    /// The chains as the store keeps them.
    var index: ChainIndex
    var unsynced = UnsyncedBatches()
    var hidden = HiddenBatches()
    var damaged: DamagedBatches
    var waiting = WaitingBatches()
    /// The search for own batches whose rows are gone; nil when it is done.
    var gapSearch: GapSearch?
    /// True when all that waits was tried since opening, after which only writes let more go on.
    var hasSettled = false
    /// The work of showing what others wrote after which the next call goes on with it.
    var shownInOneCall = Limits.shownInOneCall
    /// True when the next call goes on to show what others wrote.
    var isShowingDue = false
    /// True when all that shows has to be made anew.
    var isStale: Bool
    /// A function that is told the progress of a commit of several batches while it becomes
    /// visible.
    var showing: CommitTelling?
    /// True when what shows was merged in another order than the places of its batches ask for, so
    /// that all is to be merged anew.
    var isDisordered = false

    init(
        _ stored: [ChainRow], _ restatements: Restatements = Restatements(), device: DeviceID,
        isStale: Bool
    ) {
        self.device = device
        index = ChainIndex(stored, restatements)
        damaged = DamagedBatches(device: device)
        self.isStale = isStale
    }

    /// The chains by scope and name.
    var rows: OrderedTable<ChainKey, ChainRow> { index.rows }

    subscript(key: ChainKey) -> ChainRow? { index.rows[key] }

    /// Forgets all that a rolled-back transaction left in memory.
    mutating func reload(_ stored: [ChainRow], _ restatements: Restatements) {
        index = ChainIndex(stored, restatements)
        hidden.forget()
        waiting.forget()
    }

    /// Has all that waits looked at again, since another schema or other scopes may let it go on.
    mutating func beginAnew() {
        hidden.forget()
        hasSettled = false
    }

    /// Writes the chains that changed in the open transaction.
    mutating func save(to store: any Store) throws(StorageError) {
        for key in index.takeChanged() {
            if let row = index[key] { try store.updateChain(row) }
        }
        try index.restatements.save(to: store)
    }

    /// Returns the last sequence number of a chain that survives a power cut; only batches up to it
    /// are listed or sent.
    func durableSeq(_ row: ChainRow) -> UInt64 { unsynced.durableSeq(row) }

    /// Returns the next commit of a chain, which is visible from now on: no batch where one without
    /// effect was passed, nil when the chain has to wait or shows all, or when the next call goes
    /// on, since this one's work has come to `limit`.
    mutating func nextToShow(
        of key: ChainKey, group: GroupState, held: ScopeFilter, telling: CommitTelling? = nil,
        upTo limit: Int = .max, _ turn: inout Turn
    ) throws(StorageError) -> [VisibleBatch]? {
        let batches = try hidden.next(
            of: key, &index, group: group, held: held, telling: telling, upTo: limit, &turn)
        if hidden.begun?.key == key { isShowingDue = true }
        return batches
    }

    /// The chains that have more batches stored than shown: first the one of a commit that is being
    /// opened, then the others in order.
    var behind: [ChainKey] {
        let keys = index.behind
        guard let begun = hidden.begun?.key, keys.contains(begun) else { return keys }
        return [begun] + keys.filter { $0 != begun }
    }

    /// Starts over from the batches, since names changed or this version understands more.
    mutating func forgetVisible() {
        isStale = false
        // Only when all shows that will it is known which of the batches that say others again have
        // effect.
        isDisordered = !index.restatements.isEmpty
        for var row in rows.values {
            row.applied = row.start
            row.folded = row.start
            index[row.key] = row
        }
        index.restatements.removeAll()
        hidden.forgetBlocked()
    }

    /// Notes that the rows of records hold what these chains showed up to these sequence numbers.
    mutating func folded(_ marks: RowFold.Marks) {
        for (key, seq) in marks {
            guard var row = index[key], row.folded < seq else { continue }
            row.folded = seq
            index[key] = row
        }
    }

    /// Forgets the batches of a chain, as if none of them had ever come.
    mutating func empty(_ key: ChainKey, in store: any Store) throws(StorageError) {
        guard let row = index[key] else { return }
        var empty = row
        if row.first == 1 || row.isFolded {
            (empty.first, empty.floor, empty.head) = (1, 0, .zero)
        } else if let first = try store.batch(chain: row.index, seq: row.first) {
            empty.head = first.prev
        }
        (empty.stored, empty.applied, empty.folded) = (
            empty.first - 1, empty.first - 1, empty.first - 1
        )
        try store.removeBatches(chain: row.index)
        try store.updateChain(empty)
        if row.isFolded { try store.setFloor(of: row.index, 0) }
        index[key] = empty
        index.restatements.forget(key)
        damaged.forget(key)
        unsynced.forget(key)
        waiting.mayGo(WaitingBatches.Family(row), at: 0...UInt64.max)
    }
}
