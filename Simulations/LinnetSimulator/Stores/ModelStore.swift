package import LinnetStorage

/// A store in memory that answers as `SQLiteStore` does, without SQL, sealing or files: what the
/// simulator runs on when speed matters more than the disk.
///
/// A transaction is undone by a log of inverse steps. The log reaches back to the last full commit,
/// so that a power cut can also take the relaxed commits after it. Nothing is sealed and no row is
/// too large; the disk never fails.
package final class ModelStore: Store, @unchecked Sendable {
    var tables = ModelTables()
    /// The steps that undo, newest last, all that a power cut or a rollback could take.
    private var log: [ModelChange] = []
    private var transaction: Transaction?
    private var isClosed = false
    /// True when anything was written since the last end in good order.
    private var hasLog = true
    /// True when this opening of the store knows of a relaxed commit that a power cut may take.
    package private(set) var isUnflushed = false
    /// The number of times that everything became durable.
    private(set) var fullCommits = 0

    private struct Transaction {
        let durability: Durability
        /// The length of the log before.
        let start: Int
    }

    /// An empty store.
    package init() {}

    /// True when a transaction is open.
    package var isInTransaction: Bool { transaction != nil }

    /// Opens a transaction; writes need one.
    package func begin(_ durability: Durability) throws(StorageError) {
        precondition(transaction == nil, "a transaction was begun inside another")
        precondition(!isClosed, "the store was used after it was closed")
        transaction = Transaction(durability: durability, start: log.count)
    }

    /// Commits the transaction; a full one makes all before it durable, if it wrote anything.
    package func commit() throws(StorageError) {
        guard let transaction else { preconditionFailure("a commit without a transaction") }
        self.transaction = nil
        guard log.count > transaction.start else { return }
        hasLog = true
        isUnflushed = transaction.durability == .relaxed
        if !isUnflushed { settle() }
    }

    /// Leaves the transaction, keeping nothing of it.
    package func rollback() {
        guard let transaction else { return }
        undo(to: transaction.start)
        self.transaction = nil
    }

    /// Makes earlier relaxed commits durable; returns at once when there are none.
    package func flush() throws(StorageError) {
        guard isUnflushed else { return }
        precondition(transaction == nil, "the store was flushed inside a transaction")
        settle()
        isUnflushed = false
        hasLog = true
    }

    private func settle() {
        log.removeAll(keepingCapacity: true)
        fullCommits += 1
    }

    /// Makes everything durable and ends the store until `reopen`.
    package func close() throws(StorageError) {
        precondition(transaction == nil, "the store was closed inside a transaction")
        precondition(!isClosed, "the store was used after it was closed")
        log.removeAll(keepingCapacity: true)
        isUnflushed = false
        isClosed = true
        hasLog = false
    }

    /// Notes how to undo a step, which has to be inside a transaction.
    func note(_ change: ModelChange) { log.append(change) }

    /// Guards a write against being made outside a transaction.
    func checkTransaction() {
        precondition(transaction != nil, "a write outside a transaction")
    }

    private func undo(to length: Int) {
        while log.count > length { tables.revert(log.removeLast()) }
    }
}

/// Events that befall a device's files rather than one opening of them.
extension ModelStore {
    /// Opens the store again, after `close` or after its process was killed.
    ///
    /// An open transaction is gone. Relaxed commits stay: the opening moves them into the file.
    package func reopen() { open(losingRelaxed: false) }

    /// Ends the power and opens the store again: on its last full commit, or with all commits.
    package func crash(losingRelaxed: Bool) { open(losingRelaxed: losingRelaxed) }

    private func open(losingRelaxed: Bool) {
        rollback()
        if losingRelaxed { undo(to: 0) }
        log.removeAll(keepingCapacity: true)
        isClosed = false
        isUnflushed = hasLog
        hasLog = false
    }

    /// A second store with the same commits, all of them durable: a backup or a clone.
    package func copy() -> ModelStore {
        precondition(transaction == nil, "the store was copied inside a transaction")
        let copy = ModelStore()
        copy.tables = tables
        copy.hasLog = hasLog
        return copy
    }
}
