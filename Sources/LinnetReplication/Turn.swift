import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// One call of a replica: its transaction, what it brought about, and what is to be said of it once
/// that is durable. An open transaction of the application keeps its turn until it ends.
struct Turn {
    /// The replica's store, which every machine reads and writes through the turn.
    let store: any Store
    /// Whether the open transaction may be lost to a power cut.
    var isRelaxed = false
    /// Whether it holds something that must not.
    private(set) var mustFlush = false
    /// Whether the peer that sent the batch at hand has more of its chain.
    var isMoreComing = false
    /// Chains that grew, or became durable, each with its first new sequence.
    private(set) var grown: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The batch that was stored last, until it is folded.
    private var latest: BatchRow?
    /// Links whose batches need an answer.
    var answerDue: OrderedSet<LinkID> = OrderedSet([])
    /// Chains whose new names every peer must hear.
    var announced: OrderedSet<ChainKey> = OrderedSet([])
    /// Chains that divided, of which every peer must get the proof.
    var divided: OrderedSet<ChainKey> = OrderedSet([])
    /// Why this device has to begin a new life, once the machine at work is done.
    var rotation: String?
    /// Batches that were found damaged, until peers were asked for them.
    var damaged: [Damage] = []
    /// A failure of the store met where only another error could be thrown.
    var failure: StorageError?
    /// What the shell is told in the end.
    var outbox = Outbox()

    init(_ store: any Store) {
        self.store = store
    }

    /// Opens the transaction of this call, if it is not open: what is written must be durable
    /// before the call ends.
    mutating func writing() throws(StorageError) {
        guard store.isInTransaction else { return try store.begin(.full) }
        if isRelaxed { mustFlush = true }
    }

    /// The same for what follows from batches, and goes and comes back with them.
    func writingDerived() throws(StorageError) {
        guard !store.isInTransaction else { return }
        try store.begin(.full)
    }

    /// The same for what nobody relies on.
    mutating func writingCasually() throws(StorageError) {
        guard !store.isInTransaction else { return }
        try begin(.relaxed)
    }

    /// Opens a transaction that the call has by itself.
    mutating func begin(_ durability: Durability) throws(StorageError) {
        try store.begin(durability)
        isRelaxed = durability == .relaxed
    }

    /// Makes all that was committed durable.
    mutating func flush() throws(StorageError) {
        mustFlush = false
        try store.flush()
    }

    /// Stores new records of the membership; a failure waits for `checkStore`.
    mutating func keep(_ records: [MemberRecord]) {
        do throws(StorageError) {
            try writing()
            for record in records {
                try store.appendMemberRecord(id: record.id, bytes: record.encoded)
            }
        } catch {
            failure = error
        }
    }

    /// Throws what the store failed with where nothing could be thrown.
    func checkStore() throws(StorageError) {
        if let failure { throw failure }
    }

    /// Hands out the batches that peers are to be asked for.
    mutating func takeDamaged() -> [Damage] {
        defer { damaged = [] }
        return damaged
    }

    /// Remembers that a chain grew from a sequence on.
    mutating func grew(_ key: ChainKey, from first: UInt64) {
        grown[key] = min(grown[key] ?? first, first)
    }

    /// Keeps a batch at hand that was stored a moment ago.
    mutating func stored(_ batch: BatchRow) { latest = batch }

    /// A batch as it is stored, which is at hand when it was the last one.
    mutating func batch(chain: Int64, seq: UInt64) throws(StorageError) -> BatchRow? {
        if let latest = latest.take(), latest.chain == chain, latest.seq == seq { return latest }
        return try store.batch(chain: chain, seq: seq)
    }

    /// Hands out what the shell performs.
    mutating func speak(sends: [(LinkID, [UInt8])]) -> [Effect] {
        defer { outbox = Outbox() }
        return outbox.effects(sends: sends)
    }
}
