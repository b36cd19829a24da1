import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The stored batches whose bytes are no longer those that their author signed, as far as they were
/// found, and those of others that were found to be as they should.
///
/// A damaged batch is never sent and never judged. It stays in its place, and every peer that lists
/// its chain is asked for it again. Its operations stay visible meanwhile. Only when all is folded
/// anew are they missing, until a good copy arrives and all is folded once more.
struct DamagedBatches {
    /// This device, whose own batches need no proof.
    private let device: DeviceID
    /// The damaged batches since the opening, by chain and sequence number.
    private(set) var table: OrderedTable<ChainKey, OrderedSet<UInt64>> = OrderedTable()
    /// By chain, the first damaged batch for which its author asked in vain.
    private var missed: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The batches of others that may be handed on.
    private var proven = ProvenBatches()
    /// True when it has to be decided anew whether this device says its lost batches again.
    var isRestatingDue = false

    init(device: DeviceID) {
        self.device = device
    }

    var isEmpty: Bool { table.isEmpty }

    /// The damaged batches of a chain.
    subscript(key: ChainKey) -> [UInt64] { table[key]?.elements ?? [] }

    /// Returns true when a batch was found damaged.
    func contains(_ seq: UInt64, of key: ChainKey) -> Bool { table[key]?.contains(seq) ?? false }

    /// Remembers a damaged batch, and has the peers that list it asked for it.
    mutating func note(_ stored: BatchRow, in row: ChainRow, _ turn: inout Turn) {
        guard table[row.key, default: OrderedSet()].insert(stored.seq) else { return }
        if row.device == device { isRestatingDue = true }
        turn.outbox.warn(
            row.device == device ? .damagedOwnBatch(stored.id) : .damagedBatch(stored.id))
        turn.damaged.append(Damage(key: row.key, seq: stored.seq, all: self[row.key]))
    }

    /// Notes a damaged batch that had to be left out, so that the next opening folds all anew.
    mutating func noteLoss(
        of stored: BatchRow, in row: ChainRow, _ turn: inout Turn
    ) throws(StorageError) {
        note(stored, in: row, &turn)
        try turn.writing()
        try turn.store.setValue(.schema, nil)
    }

    /// Notes that its author asked for a damaged batch; false when that is known.
    mutating func noteMissed(_ seq: UInt64, of key: ChainKey) -> Bool {
        if let known = missed[key], known <= seq { return false }
        missed[key] = seq
        return true
    }

    /// Returns the last batch up to which a chain may be listed that is held durably up to one.
    func listed(_ key: ChainKey, upTo last: UInt64) -> UInt64 {
        missed[key].map { min(last, $0 - 1) } ?? last
    }

    /// Notes that a good copy took the place of a damaged batch.
    mutating func repaired(_ seq: UInt64, of key: ChainKey) {
        table[key]?.remove(seq)
        if self[key].isEmpty { table[key] = nil }
        if missed[key] == seq { missed[key] = nil }
    }

    /// Forgets the damage of a chain from a place on, of which nothing is held any more.
    mutating func forget(_ key: ChainKey, from seq: UInt64) {
        for damaged in self[key] where damaged >= seq { repaired(damaged, of: key) }
    }

    /// Forgets the damage of a chain of which nothing is held any more.
    mutating func forget(_ key: ChainKey) { (table[key], missed[key]) = (nil, nil) }

    /// Notes that peers left, which may have said what they hold of the damaged batches.
    mutating func peersLeft() {
        if !isEmpty { isRestatingDue = true }
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
}

extension DamagedBatches {
    /// Returns the warnings of them, with those that this device wrote apart, since nobody else may
    /// have them.
    func facts(_ chains: ChainIndex, in store: any Store) throws(StorageError) -> [WarningFact] {
        var facts: [WarningFact] = []
        for isOwn in [true, false] {
            var (count, example): (UInt64, BatchID?) = (0, nil)
            for (key, seqs) in table {
                guard let row = chains[key], (row.device == device) == isOwn else { continue }
                count += UInt64(seqs.elements.count)
                guard let last = seqs.elements.last else { continue }
                example = try store.expectedID(of: row, at: last)
            }
            guard count > 0, let example else { continue }
            facts.append(
                WarningFact(
                    warning: isOwn ? .damagedOwnBatch(example) : .damagedBatch(example),
                    count: count))
        }
        return facts
    }

    /// Returns their ids.
    func ids(_ chains: ChainIndex, in store: any Store) throws(StorageError) -> [BatchID] {
        var ids: [BatchID] = []
        for (key, seqs) in table {
            guard let row = chains[key] else { continue }
            for seq in seqs.elements { ids.append(try store.expectedID(of: row, at: seq)) }
        }
        return ids
    }
}

/// A batch that was found damaged.
struct Damage {
    let key: ChainKey
    let seq: UInt64
    /// The damaged batches of the chain, this one among them.
    let all: [UInt64]

    /// Returns the ranges to ask of a peer that holds the chain up to `seq`.
    static func repairs(of all: [UInt64], upTo seq: UInt64, key: ChainKey) -> [NeededRange] {
        all.filter { $0 <= seq }.map {
            NeededRange(scope: key.scope, chain: key.chain, first: $0, last: $0)
        }
    }
}
