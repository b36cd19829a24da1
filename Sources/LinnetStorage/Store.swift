internal import CSQLite
package import LinnetCrypto

/// When a transaction survives a power cut.
package enum Durability: Sendable {
    /// Once `commit` returns.
    case full
    /// After a later full commit or `flush`; a crash of the process alone loses nothing.
    case relaxed
}

/// One replica's file: a SQLite database whose single connection this value owns.
///
/// It is synchronous and deterministic: it reads no clock and draws no randomness. Reads work at
/// any time, writes between `begin` and `commit`. The caller makes the directory with mode 0700 and
/// an empty file with mode 0600 before the first opening; the log beside it inherits that mode.
package struct Store: ~Copyable, @unchecked Sendable {
    /// Whether the file was empty before this opening.
    package let isNew: Bool
    /// How many batches wait, and their bytes.
    package internal(set) var pendingTotals: Totals

    private let version: Int
    let connection: Connection
    var sealer: Sealer
    private let transactions: TransactionStatements
    let meta: MetaTable
    let chainTable: ChainTable
    let batchTable: BatchTable
    let recordTable: RecordTable
    let memberTable: MemberTable
    let pendingTable: PendingTable
    let peerTable: PeerTable
    let intentTable: IntentTable
    let quarantineTable: QuarantineTable
    let forkTable: ForkTable

    private var transaction: Transaction?
    private var synchronous = Durability.full
    /// Whether a relaxed commit may still be lost to a power cut.
    package private(set) var isUnflushed = false
    /// What made the state of the file uncertain; nothing is written after it.
    private var failure: StorageError?

    private struct Transaction {
        let durability: Durability
        let changesBefore: Int64
        let pendingBefore: Totals
    }

    /// Opens or creates the file at `path`.
    ///
    /// - Parameters:
    ///   - databaseKey: the 32-byte key that rows are sealed under.
    ///   - noncePrefix: 16 random bytes, fresh for each opening.
    ///   - vfs: the SQLite virtual file system to use, nil for the platform's own.
    ///   - migrations: the steps of the format; tests add steps of their own.
    package init(
        path: String, databaseKey: borrowing SecretBytes, noncePrefix: [UInt8], vfs: String? = nil,
        migrations: [Migration] = Schema.migrations
    ) throws(StorageError) {
        let connection = try Connection.open(path: path, vfs: vfs)
        var sealer = Sealer(databaseKey: databaseKey, noncePrefix: noncePrefix)
        let found = try Schema.examine(connection, steps: migrations)
        if found > 0 { try KeyCheck.verify(connection, sealer) }
        try Schema.migrate(
            connection, steps: migrations, from: found,
            keyCheck: found == 0 ? KeyCheck.statement(&sealer) : nil)
        let pendingTable = PendingTable(connection)
        pendingTotals = try pendingTable.countAll()

        // A value that cannot be copied cannot be half made either: nothing throws from here on.
        transactions = TransactionStatements(connection)
        isNew = found == 0
        version = migrations.count
        meta = MetaTable(connection)
        chainTable = ChainTable(connection)
        batchTable = BatchTable(connection)
        recordTable = RecordTable(connection)
        memberTable = MemberTable(connection)
        self.pendingTable = pendingTable
        peerTable = PeerTable(connection)
        intentTable = IntentTable(connection)
        quarantineTable = QuarantineTable(connection)
        forkTable = ForkTable(connection)
        self.sealer = sealer
        self.connection = connection
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { transaction != nil }

    /// Opens a transaction; writes need one.
    package mutating func begin(_ durability: Durability = .full) throws(StorageError) {
        precondition(transaction == nil, "a transaction was begun inside another")
        if let failure { throw failure }
        if synchronous != durability {
            try connection.execute(
                "PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
            synchronous = durability
        }
        try transactions.begin.run()
        transaction = Transaction(
            durability: durability, changesBefore: connection.changes,
            pendingBefore: pendingTotals)
    }

    /// Commits the transaction; on an error nothing of it remains, unless the error is `io`.
    ///
    /// After `io` the outcome is unknown until the file is opened again: each later `begin` throws.
    package mutating func commit() throws(StorageError) {
        guard let transaction else { preconditionFailure("a commit without a transaction") }
        do throws(StorageError) {
            // An error may have rolled the transaction back behind our back.
            guard connection.isInTransaction else { throw .io(code: SQLITE_ABORT) }
            try transactions.commit.run()
        } catch {
            if case .io = error { fail(error) }
            rollback()
            throw error
        }
        self.transaction = nil
        guard connection.changes != transaction.changesBefore else { return }
        isUnflushed = transaction.durability == .relaxed
    }

    /// Leaves the transaction, keeping nothing of it.
    package mutating func rollback() {
        if let transaction { pendingTotals = transaction.pendingBefore }
        transaction = nil
        guard connection.isInTransaction else { return }
        do {
            try transactions.rollback.run()
        } catch {
            fail(error)
        }
    }

    /// Stops writing: after a failed sync nobody knows what is on the disk, and only the checksums
    /// of the log can tell at the next opening.
    private mutating func fail(_ error: StorageError) {
        failure = error
        connection.keepLog()
    }

    /// Makes earlier relaxed commits durable; returns at once when there are none.
    package mutating func flush() throws(StorageError) {
        guard isUnflushed else { return }
        try begin(.full)
        do {
            // Any page will do: the sync that ends a full commit covers all before it. Stamping
            // the version again rewrites the first one.
            try connection.execute("PRAGMA user_version = \(version)")
        } catch {
            rollback()
            throw error
        }
        try commit()
        isUnflushed = false
    }

    /// Moves the log into the file and closes it.
    package consuming func close() throws(StorageError) {
        precondition(transaction == nil, "the store was closed inside a transaction")
        if let failure { throw failure }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Guards a write against being made outside a transaction.
    func checkTransaction() {
        precondition(transaction != nil, "a write outside a transaction")
    }
}

/// The statements around transactions.
private struct TransactionStatements: ~Copyable {
    let begin: Statement
    let commit: Statement
    let rollback: Statement

    init(_ connection: borrowing Connection) {
        begin = connection.prepare("BEGIN IMMEDIATE", place: "file")
        commit = connection.prepare("COMMIT", place: "file")
        rollback = connection.prepare("ROLLBACK", place: "file")
    }
}
