package import LinnetCRDT
package import LinnetWire

/// The place where one replica keeps everything: this is all that it asks of a database.
///
/// A store is synchronous and deterministic: it reads no clock and draws no randomness. Reads work
/// at any time, writes between `begin` and `commit`; a write elsewhere is a bug and stops the
/// program. What is read inside a transaction shows its writes. One thread at a time uses a store.
package protocol Store: ChunkStore, BaseStore {
    // MARK: Transactions

    /// True while a transaction is open.
    var isInTransaction: Bool { get }

    /// True when the last transaction was relaxed, so that a power cut may still take what it
    /// wrote.
    var isUnflushed: Bool { get }

    /// Opens a transaction; writes need one.
    func begin(_ durability: Durability) throws(StorageError)

    /// Commits the transaction; on an error nothing of it remains, unless the error is `io`.
    ///
    /// After `io` the outcome is unknown until the store is opened again: each later `begin`
    /// throws.
    func commit() throws(StorageError)

    /// Leaves the transaction, keeping nothing of it; does nothing outside of one.
    func rollback()

    /// Makes earlier relaxed commits durable; returns at once when there are none.
    func flush() throws(StorageError)

    /// Ends the store in good order; nothing of it can be used after that.
    func close() throws(StorageError)

    // MARK: Single values

    /// The bytes kept under a key, or nil.
    func value(_ key: MetaKey) throws(StorageError) -> [UInt8]?

    /// Keeps bytes under a key; nil forgets them.
    func setValue(_ key: MetaKey, _ value: [UInt8]?) throws(StorageError)

    // MARK: Chains

    /// Every chain, in the order of their numbers.
    func chains() throws(StorageError) -> [ChainRow]

    /// Adds an empty chain and gives it the next number; `duplicate` when it is there.
    func insertChain(_ chain: NewChain) throws(StorageError) -> ChainRow

    /// Writes what can change of a chain: its bounds, its head and its place in a fork.
    func updateChain(_ row: ChainRow) throws(StorageError)

    // MARK: Batches

    /// Stores a batch; the caller has checked it and updates the chain in the same transaction.
    func append(_ batch: BatchRow) throws(StorageError)

    /// Writes a stored batch anew, after its bytes were damaged; what is known of its commit stays.
    func replaceBatch(_ batch: BatchRow) throws(StorageError)

    /// The batch at a place in a chain, or nil.
    func batch(chain: Int64, seq: UInt64) throws(StorageError) -> BatchRow?

    /// The identifier of the batch at a place in a chain, or nil.
    func batchID(chain: Int64, seq: UInt64) throws(StorageError) -> BatchID?

    /// The batches of a chain from `seq` on, until their ciphertexts pass `maxBytes`; one at least,
    /// if there is one.
    func batches(
        chain: Int64, from seq: UInt64, maxBytes: Int
    ) throws(StorageError) -> [BatchRow]

    /// Notes which part of which commit a batch is, once it was opened.
    func setCommit(
        chain: Int64, seq: UInt64, commit: CommitID, part: UInt32, parts: UInt32
    ) throws(StorageError)

    /// The stored parts of a commit that has several, in their order.
    func parts(ofCommit commit: CommitID) throws(StorageError) -> [CommitPart]

    /// Returns the number of stored parts of a commit that has several.
    func partCount(ofCommit commit: CommitID) throws(StorageError) -> Int

    /// Moves the batches of a chain from `seq` on to another chain; they keep their sequences.
    func moveBatches(
        from chain: Int64, startingAt seq: UInt64, to target: Int64
    ) throws(StorageError)

    /// Forgets the batches of a chain from a sequence on, whose row the caller writes anew.
    func removeBatches(chain: Int64, from seq: UInt64) throws(StorageError)

    /// Returns the number of batches of a chain in a range of sequences.
    func batchCount(chain: Int64, in seqs: ClosedRange<UInt64>) throws(StorageError) -> Int

    /// Returns the commits of several parts of which any is stored, in the order of their names.
    func commitsInParts() throws(StorageError) -> [CommitID]

    /// Returns the number of stored batches, of one chain or of all when nil, and the bytes of
    /// their ciphertexts.
    func batchTotals(chain: Int64?) throws(StorageError) -> Totals

    // MARK: Records

    /// The state of a record and the number of its row, or nil when nothing was ever written.
    ///
    /// Here and below, `mending` tells the state where the row does not hold what was written last.
    func storedRecord(
        collection: UInt32, id: RecordID, mending: RowMending
    ) throws(StorageError) -> KeptRecord?

    /// Returns the number of records that have a row, of one collection or of all when nil.
    func recordCount(collection: UInt32?) throws(StorageError) -> Int

    /// The names of all records that have a row; nil when they may be more than `limit`, or when
    /// one cannot be read.
    func recordNames(atMost limit: Int) throws(StorageError) -> [RecordName]?

    /// The names of the records that follow one, or of the first ones, by collection and then by
    /// the bytes of the identifier, at most `limit`; those that cannot be read are left out.
    func recordNames(after last: RecordName?, limit: Int) throws(StorageError) -> [RecordName]

    /// The rows of a collection that do not hold what was written into them last.
    func damagedRows(collection: UInt32) throws(StorageError) -> [DamagedRow]

    /// Writes the state of a record over the one before, and returns the number of its row.
    ///
    /// - Parameters:
    ///   - row: where `storedRecord` or an earlier write found it; nil when it has none.
    ///   - content: the content of the row, where it is written already.
    func putRecord(
        _ state: RecordState, row: Int64?, content: [UInt8]?
    ) throws(StorageError) -> Int64

    /// Takes a row away, with the entries by which its record was found.
    func removeRow(_ number: Int64, collection: UInt32) throws(StorageError)

    /// Gives `body` every record, of one collection or of all when nil, by collection and then by
    /// the bytes of its identifier; `body` writes nothing.
    func forEachRecord(
        collection: UInt32?, mending: RowMending,
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Gives `body` the records of a collection and their rows by the bytes of their identifiers,
    /// those alone that follow the bytes `after`, until it returns false; `body` writes nothing.
    func forEachRow(
        collection: UInt32, after: [UInt8], mending: RowMending,
        _ body: (KeptRecord) throws(StorageError) -> Bool
    ) throws(StorageError)

    /// Gives `body` the contents of the rows of a collection by the bytes of their identifiers,
    /// those alone that follow the bytes `after`, until it returns false; `body` writes nothing.
    func forEachContent(
        collection: UInt32, after: [UInt8], mending: RowMending,
        _ body: (RowContent) throws(StorageError) -> Bool
    ) throws(StorageError)

    /// Forgets the records of some collections, or of all when nil, and their entries, before they
    /// are folded anew.
    func removeAllRecords(collections: [UInt32]?) throws(StorageError)

    /// Forgets the records of a collection whose identifiers begin with some bytes, and their
    /// entries; without bytes all of them.
    func removeRecords(collection: UInt32, prefix: [UInt8]) throws(StorageError)

    // MARK: Numbers and hashes of many rows

    /// False when the rows were written by a release that did not count the live ones.
    func hasCountedRows() throws(StorageError) -> Bool

    /// Counts the live rows of all collections anew, and notes of each row whether it is live.
    func countRows(mending: RowMending) throws(StorageError)

    /// Returns the number of rows of a collection whose records are live.
    func liveRowCount(collection: UInt32) throws(StorageError) -> Int

    /// Returns what is noted of a record's row, without opening it.
    func rowLife(collection: UInt32, id: RecordID) throws(StorageError) -> RowLife

    /// Notes whether a row is live where that was noted wrongly; true when it was.
    func correctLife(_ isLive: Bool, row: Int64, collection: UInt32) throws(StorageError) -> Bool

    /// Adds up the live rows of a collection and keeps the sum; true when another one was kept.
    func addUpRows(collection: UInt32) throws(StorageError) -> Bool

    /// The pages of a collection that are known, in order.
    func pages(collection: UInt32) throws(StorageError) -> [KnownPage]

    /// Remembers pages whose hashes were made from the rows as they are, each in the place of what
    /// was known of its records. They are written by the next transaction.
    func keepPages(_ pages: [MadePage])

    /// Forgets all pages.
    func forgetPages() throws(StorageError)

    // MARK: Indexes

    /// Keeps the entries by which a record is found, in place of those kept before.
    ///
    /// - Parameter row: where the record is.
    func putEntries(
        _ entries: [IndexEntry], collection: UInt32, row: Int64
    ) throws(StorageError)

    /// Forgets the entries by which the records of a collection are found.
    func removeEntries(collection: UInt32) throws(StorageError)

    /// Gives `body` the records that a search finds and the keys by which it does, in the order of
    /// the keys, until it returns false; `body` writes nothing. Blind keys come as nil.
    func forEachFound(
        by search: IndexSearch, mending: RowMending,
        _ body: ([UInt8]?, RecordState) throws(StorageError) -> Bool
    ) throws(StorageError)

    // MARK: Membership

    /// Adds a membership record after all others; `duplicate` when it is there.
    func appendMemberRecord(id: MemberRecordID, bytes: [UInt8]) throws(StorageError)

    /// Every membership record, in the order they were added.
    func memberRecords() throws(StorageError) -> [MemberRow]

    // MARK: Batches that wait

    /// The number of batches that wait, and their bytes.
    var pendingTotals: Totals { get }

    /// Keeps a batch until it can be stored; the caller has held it against the limits.
    func insertPending(_ batch: PendingRow) throws(StorageError)

    /// Returns true when a batch waits.
    func isPending(_ id: BatchID) throws(StorageError) -> Bool

    /// Returns the batches of one author in one scope that wait, from a sequence on, until
    /// `maxBytes` are passed; one batch at least, if there is one.
    func pending(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation, from seq: UInt64,
        maxBytes: Int
    ) throws(StorageError) -> [PendingRow]

    /// Forgets a batch that no longer waits.
    func removePending(_ id: BatchID) throws(StorageError)

    /// Returns the number and the bytes of the batches of one author in one scope that wait.
    func pendingTotals(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation
    ) throws(StorageError) -> Totals

    /// Returns the totals of waiting batches for each author in each scope, by scope, device and
    /// incarnation.
    func pendingChains() throws(StorageError) -> [PendingChain]

    // MARK: Peers, intents, quarantine and forks

    /// Remembers a peer in place of what was known of it.
    func putPeer(_ peer: PeerRow) throws(StorageError)

    /// Every peer that is remembered, by device and incarnation.
    func peers() throws(StorageError) -> [PeerRow]

    /// Returns the outcome of the first command with this intent, or nil when there was none.
    func firstOutcome(intent: [UInt8]) throws(StorageError) -> [UInt8]?

    /// Keeps the outcome of a command; `duplicate` when its intent has one already.
    func recordOutcome(intent: [UInt8], _ outcome: [UInt8]) throws(StorageError)

    /// Notes that an operation has no effect; a second note on it replaces the first.
    func quarantine(_ row: QuarantineRow) throws(StorageError)

    /// Returns the operations without effect, by batch and index, at most `limit` rows; all when it
    /// is negative.
    func quarantined(limit: Int) throws(StorageError) -> [QuarantineRow]

    /// Returns the number of rows that `quarantined` has without a limit.
    func quarantineCount() throws(StorageError) -> Int

    /// Keeps the proof of a fork.
    func addFork(_ fork: ForkRow) throws(StorageError)

    /// Every proof, in the order they were found.
    func forks() throws(StorageError) -> [ForkRow]

    // MARK: Companion lanes

    /// Keeps a row of the lanes in place of the one with its key.
    func putLane(_ row: LaneRow) throws(StorageError)

    /// Returns what the lanes keep under a key, or nil.
    func lane(_ key: [UInt8]) throws(StorageError) -> [UInt8]?

    /// The rows whose keys begin with a byte below 255, by their keys.
    func lanes(family: UInt8) throws(StorageError) -> [LaneRow]

    /// Forgets the row with a key; nothing happens when there is none.
    func removeLane(_ key: [UInt8]) throws(StorageError)
}

extension Store {
    /// Opens a transaction that is durable once `commit` returns.
    package func begin() throws(StorageError) { try begin(.full) }

    /// The state of a record and the number of its row; `corrupt` where that is damaged.
    package func storedRecord(
        collection: UInt32, id: RecordID
    ) throws(StorageError) -> KeptRecord? {
        try storedRecord(collection: collection, id: id, mending: Self.refuse)
    }

    /// Gives `body` every record, of one collection or of all; `corrupt` where a row is damaged.
    package func forEachRecord(
        collection: UInt32?, _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        try forEachRecord(collection: collection, mending: Self.refuse, body)
    }

    /// Gives `body` the records of a collection that follow `after`, until it returns false;
    /// `corrupt` where a row is damaged.
    package func forEachRow(
        collection: UInt32, after: RecordID?,
        _ body: (KeptRecord) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try forEachRow(collection: collection, after: after?.utf8 ?? [], mending: Self.refuse, body)
    }

    /// Gives `body` the records that a search finds, until it returns false; `corrupt` where a row
    /// is damaged.
    package func forEachFound(
        by search: IndexSearch, _ body: ([UInt8]?, RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try forEachFound(by: search, mending: Self.refuse, body)
    }

    private static func refuse(_ row: DamagedRow) throws(StorageError) -> RecordState? {
        throw .corrupt(where: "records")
    }

    /// Forgets every batch of a chain, whose row the caller writes anew.
    package func removeBatches(chain: Int64) throws(StorageError) {
        try removeBatches(chain: chain, from: 0)
    }

    /// The state of a record, or nil when nothing was ever written to it.
    package func record(
        collection: UInt32, id: RecordID
    ) throws(StorageError) -> RecordState? {
        try storedRecord(collection: collection, id: id)?.state
    }

    /// Writes the state of a record over the one before, and returns the number of its row.
    package func putRecord(_ state: RecordState, row: Int64?) throws(StorageError) -> Int64 {
        try putRecord(state, row: row, content: nil)
    }

    /// Writes the state of a record over the one before, wherever that is.
    package func putRecord(_ state: RecordState) throws(StorageError) {
        let row = try storedRecord(collection: state.collection, id: state.record)?.row
        _ = try putRecord(state, row: row)
    }

    /// Gives `body` every record, by collection and then by the bytes of its identifier.
    package func forEachRecord(
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        try forEachRecord(collection: nil, body)
    }

    /// Forgets all records, before they are folded anew.
    package func removeAllRecords() throws(StorageError) { try removeAllRecords(collections: nil) }

    /// Returns the batches of one author in one scope that wait, until `maxBytes` are passed; one
    /// batch at least, if there is one.
    package func pending(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation, maxBytes: Int
    ) throws(StorageError) -> [PendingRow] {
        try pending(
            scope: scope, device: device, incarnation: incarnation, from: 0, maxBytes: maxBytes)
    }
}
