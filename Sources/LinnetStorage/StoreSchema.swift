internal import CSQLite

/// One step of the format: the statements that take a file from a version to the next.
package struct Migration: Sendable {
    /// The statements, run in order inside one transaction.
    package let statements: [String]

    /// Makes a step from its statements.
    package init(statements: [String]) {
        self.statements = statements
    }
}

/// The tables of the file and how they came to be.
package enum StoreSchema {
    /// Written into the file's header, "LNNT", so that it can be told from other databases.
    static let applicationID: Int64 = 0x4c4e_4e54

    /// The function that only our own connection has, and that every guard calls.
    static let writerFunction = "only_linnet_may_write"

    /// A file of at most as many pages is checked as a whole at each opening; a larger one only
    /// when it was not closed in order, since that takes long.
    private static let checkedPages: Int64 = 512

    /// The steps since the first release: step n takes a file of version n to version n + 1.
    package static let migrations = [
        Migration(statements: firstTables + guards(of: tables)),
        Migration(statements: entries + guards(of: ["entries"])),
        Migration(statements: [laneTable] + guards(of: ["lanes"])),
        Migration(statements: [markTable] + guards(of: ["marks"])),
        Migration(statements: tallyTables + guards(of: ["living", "pages"])),
        Migration(
            statements: chunkTables + guards(of: ["chunks", "loose"])
                // Some count for records before them: they were kept without their beginning.
                + ["DELETE FROM pages"]),
        Migration(statements: baseTables + guards(of: ["bases", "floors"])),
    ]

    /// The tables that version 1 has.
    private static let tables = [
        "meta", "chains", "batches", "records", "members", "pending", "peers", "intents",
        "quarantine", "forks",
    ]

    private static let firstTables = [
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, version INTEGER NOT NULL, sealed BLOB NOT NULL)
        STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE chains (number INTEGER PRIMARY KEY, scope BLOB NOT NULL, chain BLOB NOT NULL,
        device BLOB NOT NULL, incarnation BLOB NOT NULL, first INTEGER NOT NULL,
        stored INTEGER NOT NULL, head BLOB NOT NULL, applied INTEGER NOT NULL,
        folded INTEGER NOT NULL, forked_at INTEGER,
        parent INTEGER REFERENCES chains (number), UNIQUE (scope, chain)) STRICT
        """,
        """
        CREATE TABLE batches (key INTEGER PRIMARY KEY, id BLOB NOT NULL, prev BLOB NOT NULL,
        epoch BLOB NOT NULL, nonce BLOB NOT NULL, ciphertext BLOB NOT NULL,
        signature BLOB NOT NULL, commit_id BLOB, part INTEGER NOT NULL, parts INTEGER NOT NULL)
        STRICT
        """,
        "CREATE INDEX batches_by_commit ON batches (commit_id, part) WHERE parts > 1",
        """
        CREATE TABLE records (number INTEGER PRIMARY KEY, collection INTEGER NOT NULL,
        id BLOB NOT NULL, version INTEGER NOT NULL, sealed BLOB NOT NULL,
        UNIQUE (collection, id)) STRICT
        """,
        """
        CREATE TABLE members (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
        bytes BLOB NOT NULL) STRICT
        """,
        """
        CREATE TABLE pending (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
        scope BLOB NOT NULL, device BLOB NOT NULL, incarnation BLOB NOT NULL,
        seq INTEGER NOT NULL, header BLOB NOT NULL, ciphertext BLOB NOT NULL,
        signature BLOB NOT NULL, size INTEGER NOT NULL) STRICT
        """,
        "CREATE INDEX pending_by_chain ON pending (scope, device, incarnation, seq, size)",
        """
        CREATE TABLE peers (device BLOB NOT NULL, incarnation BLOB NOT NULL,
        version INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (device, incarnation))
        STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE intents (key BLOB PRIMARY KEY, version INTEGER NOT NULL,
        sealed BLOB NOT NULL) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE quarantine (batch BLOB NOT NULL, position INTEGER NOT NULL,
        reason INTEGER NOT NULL, PRIMARY KEY (batch, position)) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE forks (number INTEGER PRIMARY KEY, scope BLOB NOT NULL, chain BLOB NOT NULL,
        seq INTEGER NOT NULL, proof BLOB NOT NULL) STRICT
        """,
    ]

    /// Version 2 adds the values of declared fields by which records are found.
    private static let entries = [
        """
        CREATE TABLE entries (collection INTEGER NOT NULL, field INTEGER NOT NULL,
        key BLOB NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (collection, field, key, record))
        STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX entries_by_record ON entries (record)",
    ]

    /// Version 3 adds what the companion lanes keep.
    private static let laneTable = """
        CREATE TABLE lanes (key BLOB PRIMARY KEY, version INTEGER NOT NULL,
        sealed BLOB NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Version 4 adds the marks by which a row is told from an older one in its place.
    private static let markTable =
        "CREATE TABLE marks (number INTEGER PRIMARY KEY, marks BLOB NOT NULL) STRICT"

    /// Version 5 adds what is known of many rows together: how many are live, and the hashes of
    /// their pages.
    private static let tallyTables = [
        "CREATE TABLE living (collection INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT",
        """
        CREATE TABLE pages (collection INTEGER NOT NULL, last BLOB NOT NULL,
        version INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (collection, last))
        STRICT, WITHOUT ROWID
        """,
    ]

    /// Version 6 adds the chunks of files, and which of them no record names yet. The index holds
    /// all that is asked of chunks without their bytes.
    private static let chunkTables = [
        """
        CREATE TABLE chunks (number INTEGER PRIMARY KEY, name BLOB NOT NULL,
        length INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT
        """,
        "CREATE UNIQUE INDEX chunks_by_name ON chunks (name, length)",
        """
        CREATE TABLE loose (name BLOB NOT NULL, owner INTEGER NOT NULL,
        PRIMARY KEY (name, owner)) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX loose_by_owner ON loose (owner)",
    ]

    /// Version 7 adds what batches came to that are gone.
    private static let baseTables = [
        """
        CREATE TABLE bases (number INTEGER PRIMARY KEY, shelf INTEGER NOT NULL,
        collection INTEGER NOT NULL, id BLOB NOT NULL, scope BLOB NOT NULL,
        sealed BLOB NOT NULL, UNIQUE (shelf, collection, id)) STRICT
        """,
        """
        CREATE TABLE floors (chain_number INTEGER PRIMARY KEY REFERENCES chains (number),
        seq INTEGER NOT NULL) STRICT
        """,
    ]

    /// Without our function a write fails before it begins: "no such function".
    private static func guards(of tables: [String]) -> [String] {
        tables.flatMap { table in
            ["INSERT", "UPDATE", "DELETE"].map { event in
                """
                CREATE TRIGGER \(table)_\(event.lowercased()) BEFORE \(event) ON \(table)
                WHEN \(writerFunction)() IS NOT 1
                BEGIN SELECT RAISE(ABORT, 'only Linnet may write'); END
                """
            }
        }
    }
}

extension StoreSchema {
    /// The version of the file, 0 when it is empty, once everything about it is known to be right.
    static func examine(
        _ connection: borrowing Connection, steps: [Migration], mustExist: Bool = false
    ) throws(StorageError) -> Int {
        let found = try version(of: connection, supported: steps.count)
        if found == 0, mustExist { throw .missing }
        // Only now, when the file is known to be ours or empty, may anything be changed.
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw .cannotOpen(code: SQLITE_CANTOPEN)
        }
        if found > 0 { try check(connection, steps: steps.prefix(found)) }
        return found
    }

    /// Brings the file from version `found` to the newest of `steps`, in one transaction that also
    /// runs `keyCheck` when the file is new.
    static func migrate(
        _ connection: borrowing Connection, steps: [Migration], from found: Int, keyCheck: String?
    ) throws(StorageError) {
        guard found < steps.count else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            for statement in steps.dropFirst(found).flatMap(\.statements) {
                try connection.execute(statement, place: "schema")
            }
            if let keyCheck { try connection.execute(keyCheck) }
            try connection.execute(
                """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(steps.count);
                COMMIT
                """)
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// The version the file has, 0 when it is empty.
    private static func version(
        of connection: borrowing Connection, supported: Int
    ) throws(StorageError) -> Int {
        let application = try connection.integer("PRAGMA application_id")
        let version = try connection.integer("PRAGMA user_version")
        let objects = try connection.integer("SELECT count(*) FROM sqlite_schema")
        if application == 0, version == 0, objects == 0 { return 0 }
        guard application == applicationID, version > 0 else { throw .notOurs }
        guard version <= supported else {
            throw .fromTheFuture(found: Int(version), supported: supported)
        }
        return Int(version)
    }

    /// Compares tables, indexes and guards with what the steps make of an empty database.
    private static func check(
        _ connection: borrowing Connection, steps: ArraySlice<Migration>
    ) throws(StorageError) {
        let pages = try connection.integer("PRAGMA page_count")
        if connection.hasLog || pages <= checkedPages {
            let found = try connection.text("PRAGMA quick_check(1)")
            if found != "ok" { throw damage(found) }
        }
        let defined = try definitions(in: connection)
        if defined == definitions(after: steps) { return }
        let model = try Connection.open(path: ":memory:", vfs: nil)
        for statement in steps.flatMap(\.statements) {
            try model.execute(statement, place: "schema")
        }
        guard try definitions(in: model) == defined else { throw .writtenOutside }
    }

    /// Returns the definitions that a file has after these steps, as long as none of them alters or
    /// drops a table: those by which they are made. Then an opening makes no second database.
    package static func definitions(after steps: some Sequence<Migration>) -> [String] {
        steps.flatMap(\.statements).filter { $0.hasPrefix("CREATE ") }.sorted()
    }

    /// Returns the error that the check of the file met. SQLite reports a read that failed in the
    /// words of damage, and a person who believed that would move a good file away.
    private static func damage(_ report: String) -> StorageError {
        // For pages that follow each other and hold long values or nothing it gives no code; that
        // one of them is damaged it says in other words.
        if report.contains("failed to get page") {
            return StorageError(code: csqlite_failed_read(), place: "file")
        }
        let code = report.split(separator: "=").last.flatMap { Int32($0.prefix { $0.isNumber }) }
        guard report.contains("error code="), let code, code & 0xff != SQLITE_CORRUPT else {
            return .corrupt(where: "file")
        }
        return StorageError(code: code, place: "file")
    }

    private static func definitions(
        in connection: borrowing Connection
    ) throws(StorageError) -> [String] {
        var found: [String] = []
        // Statistics and automatic indexes say nothing about the format. Everything else does,
        // whatever its name.
        try connection.prepare(
            """
            SELECT coalesce(sql, type || ' ' || name) FROM sqlite_schema
            WHERE NOT (type = 'index' AND sql IS NULL
                AND name LIKE 'sqlite~_autoindex~_%' ESCAPE '~')
              AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4')
                AND sql LIKE 'CREATE TABLE ' || name || '(tbl,idx,%')
            """,
            place: "schema"
        ).forEachRow { (row) throws(StorageError) in
            found.append(try row.text(0))
            return true
        }
        return found.sorted()
    }
}
