import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// One call of a replica: its transaction, the changes that it made, and the events to be told once
/// these are durable. An open transaction of the application keeps its turn until it ends.
struct Turn {
    /// The replica's store, which every machine reads and writes through the turn.
    let store: any Store
    /// True when a power cut may take the open transaction.
    var isRelaxed = false
    /// True when it holds something that a power cut must not take.
    private(set) var mustFlush = false
    /// True when the peer that sent the batch at hand has more of its chain.
    var isMoreComing = false
    /// The chains that grew or became durable, each with its first new sequence number.
    private(set) var grown: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The batch that was stored last, until it is folded.
    private var latest: BatchRow?
    /// The links whose batches need an answer.
    var answerDue: OrderedSet<LinkID> = OrderedSet()
    /// The chains whose new names every peer must hear.
    var announced: OrderedSet<ChainKey> = OrderedSet()
    /// The chains that divided, of which every peer must get the proof.
    var divided: OrderedSet<ChainKey> = OrderedSet()
    /// The reason why this device has to begin a new life once the machine at work is done; nil
    /// when it need not.
    var rotation: String?
    /// The batches that were found damaged, until peers were asked for them.
    var damaged: [Damage] = []
    /// The work of showing what others wrote, in changes of single values.
    var shown = 0
    /// A failure of the store that was met where only another error could be thrown.
    var failure: StorageError?
    /// The effects and events that the shell is told in the end.
    var outbox = Outbox()

    init(_ store: any Store) {
        self.store = store
    }

    /// Opens the transaction of this call if it is not open, for writes that must be durable before
    /// the call ends.
    mutating func writing() throws(StorageError) {
        guard store.isInTransaction else { return try store.begin(.full) }
        if isRelaxed { mustFlush = true }
    }

    /// Opens the transaction for writes that follow from batches, and are lost and made again with
    /// them.
    func writingDerived() throws(StorageError) {
        guard !store.isInTransaction else { return }
        try store.begin(.full)
    }

    /// Opens the transaction for writes that nobody relies on.
    mutating func writingCasually() throws(StorageError) {
        guard !store.isInTransaction else { return }
        try begin(.relaxed)
    }

    /// Opens a transaction of the given durability.
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

    /// Stores a value; a failure waits for `checkStore`.
    mutating func keep(_ value: [UInt8], under key: MetaKey) {
        do throws(StorageError) {
            try writing()
            try store.setValue(key, value)
        } catch {
            failure = error
        }
    }

    /// Throws the failure of the store that was met where it could not be thrown.
    func checkStore() throws(StorageError) {
        if let failure { throw failure }
    }

    /// Hands out the batches that peers are to be asked for.
    mutating func takeDamaged() -> [Damage] {
        defer { damaged = [] }
        return damaged
    }

    /// Remembers that a chain grew from a sequence number on.
    mutating func grew(_ key: ChainKey, from first: UInt64) {
        grown[key] = min(grown[key] ?? first, first)
    }

    /// Keeps at hand a batch that was stored a moment ago.
    mutating func stored(_ batch: BatchRow) { latest = batch }

    /// Returns a stored batch, which is at hand when it was stored last.
    mutating func batch(chain: Int64, seq: UInt64) throws(StorageError) -> BatchRow? {
        if let latest = latest.take(), latest.chain == chain, latest.seq == seq { return latest }
        return try store.batch(chain: chain, seq: seq)
    }

    /// Hands out the effects that the shell performs.
    mutating func speak(sends: [(LinkID, [UInt8])]) -> [Effect] {
        defer { outbox = Outbox() }
        return outbox.effects(sends: sends)
    }
}
