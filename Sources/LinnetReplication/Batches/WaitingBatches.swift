import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The batches that cannot be stored yet, by the reason for which they wait: a batch of the same
/// author in the same scope is missing, or a record of the membership.
///
/// The store keeps the batches. This knows which of them may go on, so that no others are read
/// again: a member that leaves gaps in its chains would otherwise make every write of others read
/// all that waits.
struct WaitingBatches {
    /// One author in one scope.
    struct Family: Comparable {
        let scope: ScopeID
        let device: DeviceID
        let incarnation: Incarnation

        static func < (left: Family, right: Family) -> Bool {
            (left.scope, left.device, left.incarnation)
                < (right.scope, right.device, right.incarnation)
        }
    }

    /// The bytes that wait at each sequence number, for each family of which that is known.
    private var sizes: OrderedTable<Family, OrderedTable<UInt64, Int>> = OrderedTable()
    /// The families of which the store has batches that were not read since the opening.
    private var unread: OrderedSet<Family> = OrderedSet()
    /// The sequence numbers at which batches may go on.
    private var due: OrderedTable<Family, ClosedRange<UInt64>> = OrderedTable()
    /// The families whose author was not entitled to write when they were looked at.
    private var strangers: OrderedSet<Family> = OrderedSet()
    /// False until the store was asked which families wait.
    private var isKnown = false

    /// True when nothing that waits has to be looked at.
    var isSettled: Bool { isKnown && due.isEmpty }

    /// Forgets all that a rolled-back transaction left in memory.
    mutating func forget() { self = WaitingBatches() }

    /// Keeps a batch that waits, within bounds; false when it is dropped, to be asked for again.
    mutating func hold(
        _ batch: SealedBatch, of group: GroupState, _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        let header = batch.header
        let isHeld = try turn.store.isPending(batch.id)
        guard !isHeld, header.seq <= StoreLimits.largestSequence else { return true }
        let chain = try turn.store.pendingTotals(
            scope: header.scope, device: header.device, incarnation: header.incarnation)
        let row = PendingRow(
            id: batch.id, scope: header.scope, device: header.device,
            incarnation: header.incarnation, seq: header.seq, header: batch.headerBytes,
            ciphertext: batch.ciphertext, signature: batch.signature)
        guard chain.count < Limits.pendingBatchesPerChain,
            chain.bytes + row.size <= Limits.pendingBytesPerChain,
            turn.store.pendingTotals.bytes + row.size <= Limits.pendingBytes
        else { return false }
        try turn.writingDerived()
        try turn.store.insertPending(row)
        let family = Family(row)
        guard isKnown, !unread.contains(family) else { return true }
        sizes[family, default: OrderedTable()][row.seq, default: 0] += row.size
        if !group.isKept(header.device) { strangers.insert(family) }
        return true
    }

    /// Notes that batches of a family may go on that wait at these sequence numbers.
    mutating func mayGo(_ family: Family, at seqs: ClosedRange<UInt64>) {
        guard sizes[family] != nil else { return }
        let before = due[family] ?? seqs
        due[family] =
            min(before.lowerBound, seqs.lowerBound)...max(before.upperBound, seqs.upperBound)
    }

    /// Notes that the group grew, so that authors may have become known.
    mutating func groupGrew() {
        for family in strangers { due[family] = 0...UInt64.max }
        strangers = OrderedSet()
    }

    /// Returns batches of one family that may go on, in the order of their sequence numbers; nil
    /// when there are no more.
    mutating func next(
        of group: GroupState, in store: any Store
    ) throws(StorageError) -> [PendingRow]? {
        if !isKnown { try ask(store) }
        while let (family, seqs) = due.first {
            due[family] = nil
            guard group.isKept(family.device) else {
                strangers.insert(family)
                continue
            }
            let rows = try read(family, at: seqs, in: store)
            if !rows.isEmpty { return rows }
        }
        return nil
    }

    /// Forgets a batch that waits no more.
    mutating func remove(_ row: PendingRow, _ turn: inout Turn) throws(StorageError) {
        try turn.writingDerived()
        try turn.store.removePending(row.id)
        let family = Family(row)
        guard let left = sizes[family]?[row.seq] else { return }
        sizes[family]?[row.seq] = left > row.size ? left - row.size : nil
        if sizes[family]?.isEmpty ?? false { drop(family) }
    }

    /// Forgets the batches of a scope that wait.
    mutating func drop(_ scope: ScopeID, in store: any Store) throws(StorageError) {
        for waiting in try store.pendingChains() where waiting.scope == scope {
            for row in try store.pending(
                scope: scope, device: waiting.device, incarnation: waiting.incarnation,
                maxBytes: .max)
            { try store.removePending(row.id) }
            drop(Family(waiting))
        }
    }

    private mutating func drop(_ family: Family) {
        sizes[family] = nil
        due[family] = nil
        unread.remove(family)
        strangers.remove(family)
    }

    /// Finds out which families wait: all of them may go on.
    private mutating func ask(_ store: any Store) throws(StorageError) {
        for waiting in try store.pendingChains() {
            unread.insert(Family(waiting))
            due[Family(waiting)] = 0...UInt64.max
        }
        isKnown = true
    }

    private mutating func read(
        _ family: Family, at seqs: ClosedRange<UInt64>, in store: any Store
    ) throws(StorageError) -> [PendingRow] {
        if unread.remove(family) {
            let rows = try store.pending(
                scope: family.scope, device: family.device, incarnation: family.incarnation,
                maxBytes: Limits.pendingBytesPerChain)
            var known: OrderedTable<UInt64, Int> = OrderedTable()
            for row in rows { known[row.seq, default: 0] += row.size }
            sizes[family] = known
            return rows
        }
        guard let known = sizes[family] else { return [] }
        var first: UInt64?
        var bytes = 0
        for place in known.lowerBound(of: seqs.lowerBound)..<known.count {
            guard let (seq, size) = known.entry(at: place), seq <= seqs.upperBound else { break }
            first = first ?? seq
            bytes += size
        }
        guard let first else { return [] }
        return try store.pending(
            scope: family.scope, device: family.device, incarnation: family.incarnation,
            from: first, maxBytes: bytes)
    }
}

extension WaitingBatches.Family {
    /// The family of a chain.
    init(_ row: ChainRow) {
        self.init(scope: row.scope, device: row.device, incarnation: row.incarnation)
    }

    fileprivate init(_ row: PendingRow) {
        self.init(scope: row.scope, device: row.device, incarnation: row.incarnation)
    }

    fileprivate init(_ chain: PendingChain) {
        self.init(scope: chain.scope, device: chain.device, incarnation: chain.incarnation)
    }
}
