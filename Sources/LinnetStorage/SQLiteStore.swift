internal import CSQLite
package import LinnetCrypto

/// One replica's file: a SQLite database over a single connection.
///
/// The caller makes the directory with mode 0700 and an empty file with mode 0600 before the first
/// opening; the log beside it inherits that mode. The connection ends with `close`, or as after a
/// crash with the last reference to the store.
package final class SQLiteStore: Store, @unchecked Sendable {
    /// True when the file was empty before this opening.
    package let isNew: Bool
    /// The number of batches that wait, and their bytes.
    package internal(set) var pendingTotals: Totals

    private let version: Int
    private var opened: DatabaseFile?
    /// The marks that tell rows from older ones in their place.
    var marks = RowMarks()
    /// The numbers of live rows.
    var living = LivingRows()
    /// The pages whose hashes were made since they were written last.
    var pages = PageBook()
    private var transaction: Transaction?
    private var synchronous = Durability.full
    /// True while a power cut may still take a relaxed commit: also one of an earlier process,
    /// which was killed before its log was synced.
    package private(set) var isUnflushed: Bool
    /// The error that made the state of the file uncertain; nothing is written after it.
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
    ///   - mustExist: whether an absent or empty file is refused as `missing`, and left as it is.
    ///   - vfs: the SQLite virtual file system to use, nil for the platform's own.
    ///   - migrations: the steps of the format; tests add steps of their own.
    package convenience init(
        path: String, databaseKey: borrowing SecretBytes, noncePrefix: [UInt8],
        mustExist: Bool = false, vfs: String? = nil,
        migrations: [Migration] = StoreSchema.migrations
    ) throws(StorageError) {
        try self.init(
            DatabaseFile(
                path: path, sealer: Sealer(databaseKey: databaseKey, noncePrefix: noncePrefix),
                mustExist: mustExist, vfs: vfs, migrations: migrations),
            version: migrations.count)
    }

    /// Opens the file of a home without its keys, to read what is signed in it: records of the
    /// membership, chains and batches. What is sealed does not open, and nothing is written.
    package convenience init(keylessCopyAt path: String) throws(StorageError) {
        guard ReadingFiles.register() else { throw .cannotOpen(code: 0) }
        let nothing = SecretBytes(zeroed: XChaCha.keyBytes)
        try self.init(
            DatabaseFile(
                path: path,
                sealer: Sealer(
                    databaseKey: nothing, noncePrefix: [UInt8](repeating: 0, count: 16)),
                mustExist: true, vfs: ReadingFiles.name, migrations: StoreSchema.migrations,
                isKeyless: true),
            version: StoreSchema.migrations.count)
    }

    private init(_ file: DatabaseFile, version: Int) throws(StorageError) {
        pendingTotals = try file.pending.countAll()
        isNew = file.isNew
        isUnflushed = file.hadLog
        self.version = version
        opened = file
    }

    /// The file, which only `close` takes away.
    var file: DatabaseFile {
        guard let opened else { preconditionFailure("the store was used after it was closed") }
        return opened
    }

    /// True while a transaction is open.
    package var isInTransaction: Bool { transaction != nil }

    /// Opens a transaction; writes need one.
    package func begin(_ durability: Durability) throws(StorageError) {
        precondition(transaction == nil, "a transaction was begun inside another")
        if let failure { throw failure }
        if synchronous != durability {
            try file.connection.execute(
                "PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
            synchronous = durability
        }
        try file.transactions.begin.run()
        transaction = Transaction(
            durability: durability, changesBefore: file.connection.changes,
            pendingBefore: pendingTotals)
    }

    /// Commits the transaction; on an error nothing of it remains, unless the error is `io`.
    ///
    /// After `io` the outcome is unknown until the file is opened again: each later `begin` throws.
    package func commit() throws(StorageError) {
        guard let transaction else { preconditionFailure("a commit without a transaction") }
        do throws(StorageError) {
            // An error may have rolled the transaction back behind our back.
            guard file.connection.isInTransaction else { throw .io(code: SQLITE_ABORT) }
            try marks.save(in: file.marks)
            try living.save(in: file.living)
            try savePages()
            try file.transactions.commit.run()
        } catch {
            if case .io = error { fail(error) }
            rollback()
            throw error
        }
        self.transaction = nil
        guard file.connection.changes != transaction.changesBefore else { return }
        isUnflushed = transaction.durability == .relaxed
    }

    /// Leaves the transaction, keeping nothing of it.
    package func rollback() {
        if let transaction { pendingTotals = transaction.pendingBefore }
        transaction = nil
        marks.forget()
        living.forget()
        pages.forget()
        guard file.connection.isInTransaction else { return }
        do {
            try file.transactions.rollback.run()
        } catch {
            fail(error)
        }
    }

    /// Stops writing: after a failed sync nobody knows what is on the disk, and only the checksums
    /// of the log can tell at the next opening.
    private func fail(_ error: StorageError) {
        failure = error
    }

    /// Makes earlier relaxed commits durable; returns at once when there are none.
    package func flush() throws(StorageError) {
        guard isUnflushed else { return }
        try begin(.full)
        do {
            // Any page will do: the sync that ends a full commit covers all before it. Stamping
            // the version again rewrites the first one.
            try file.connection.execute("PRAGMA user_version = \(version)")
        } catch {
            rollback()
            throw error
        }
        try commit()
        isUnflushed = false
    }

    /// Moves the log into the file and closes it, whether or not the former succeeds.
    package func close() throws(StorageError) {
        precondition(transaction == nil, "the store was closed inside a transaction")
        try writePages()
        let file = file
        opened = nil
        if let failure { throw failure }
        try file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.connection.dropLog()
    }

    /// Writes the hashes of pages that nobody would write any more; where there is no room for them
    /// they are made anew.
    private func writePages() throws(StorageError) {
        guard failure == nil, !pages.pending.isEmpty else { return }
        do throws(StorageError) {
            try begin(.relaxed)
            try commit()
        } catch .diskFull {
            pages.forget()
        }
    }

    /// Guards a write against being made outside a transaction.
    func checkTransaction() {
        precondition(transaction != nil, "a write outside a transaction")
    }
}
