/// An open database: its connection, the keys of its rows and a statement for everything that is
/// asked of it.
final class DatabaseFile {
    /// True when the file was empty before this opening.
    let isNew: Bool
    /// True when the last process left a log, of which nobody knows whether it was synced.
    let hadLog: Bool
    var sealer: Sealer
    let transactions: TransactionStatements
    let meta: MetaTable
    let chains: ChainTable
    let batches: BatchTable
    let records: RecordTable
    let marks: MarkTable
    let living: LivingTable
    let pages: PageTable
    let entries: EntryTable
    let members: MemberTable
    let pending: PendingTable
    let peers: PeerTable
    let intents: IntentTable
    let lanes: LaneTable
    let quarantine: QuarantineTable
    let forks: ForkTable
    let chunks: ChunkTable
    let bases: BaseTable
    /// The last member, so that it outlives the statements.
    let connection: Connection

    /// Opens or creates the file at `path`, checks it and brings it to the newest format. Without
    /// its keys only what is not sealed can be read.
    init(
        path: String, sealer: consuming Sealer, mustExist: Bool, vfs: String?,
        migrations: [Migration], isKeyless: Bool = false
    ) throws(StorageError) {
        let connection = try Connection.open(path: path, mustExist: mustExist, vfs: vfs)
        let found = try StoreSchema.examine(connection, steps: migrations, mustExist: mustExist)
        hadLog = connection.hasLog
        if found > 0, !isKeyless { try KeyCheck.verify(connection, sealer) }
        if hadLog { try Self.moveLog(connection) }
        try StoreSchema.migrate(
            connection, steps: migrations, from: found,
            keyCheck: found == 0 ? KeyCheck.statement(&sealer) : nil)
        isNew = found == 0
        transactions = TransactionStatements(connection)
        meta = MetaTable(connection)
        chains = ChainTable(connection)
        batches = BatchTable(connection)
        records = RecordTable(connection)
        marks = MarkTable(connection)
        living = LivingTable(connection)
        pages = PageTable(connection)
        entries = EntryTable(connection)
        members = MemberTable(connection)
        pending = PendingTable(connection)
        peers = PeerTable(connection)
        intents = IntentTable(connection)
        lanes = LaneTable(connection)
        quarantine = QuarantineTable(connection)
        forks = ForkTable(connection)
        chunks = ChunkTable(connection)
        bases = BaseTable(connection)
        self.sealer = sealer
        self.connection = connection
    }

    /// Moves what an earlier process left in the log into the file before anything is appended.
    ///
    /// After a power failure the log may end inside a sector, and a torn write of what comes next
    /// would take the end of the last commit with it. Where there is no room for that, the store
    /// still opens.
    private static func moveLog(_ connection: borrowing Connection) throws(StorageError) {
        do throws(StorageError) {
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch .diskFull {
            return
        }
    }
}

/// The statements around transactions.
struct TransactionStatements: ~Copyable {
    let begin: Statement
    let commit: Statement
    let rollback: Statement

    init(_ connection: borrowing Connection) {
        begin = connection.prepare("BEGIN IMMEDIATE", place: "file")
        commit = connection.prepare("COMMIT", place: "file")
        rollback = connection.prepare("ROLLBACK", place: "file")
    }
}
