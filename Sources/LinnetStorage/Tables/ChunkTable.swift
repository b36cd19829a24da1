package import LinnetWire

/// The statements on the chunks of files. A chunk is sealed by the file's own key and named by its
/// hash, so that it is sealed no second time.
struct ChunkTable: ~Copyable {
    let exists: Statement
    let select: Statement
    let insert: Statement
    let remove: Statement
    let totals: Statement
    let loosen: Statement
    let isLoose: Statement
    let fastenOne: Statement
    let fasten: Statement
    let release: Statement
    let loose: Statement
    let lastOwner: Statement

    init(_ connection: borrowing Connection) {
        exists = connection.prepare("SELECT 1 FROM chunks WHERE name = ?", place: "chunks")
        select = connection.prepare("SELECT bytes FROM chunks WHERE name = ?", place: "chunks")
        insert = connection.prepare(
            "INSERT INTO chunks (name, length, bytes) VALUES (?, ?, ?)", place: "chunks")
        remove = connection.prepare("DELETE FROM chunks WHERE name = ?", place: "chunks")
        totals = connection.prepare(
            "SELECT count(*), coalesce(sum(length), 0) FROM chunks", place: "chunks")
        loosen = connection.prepare(
            "INSERT OR IGNORE INTO loose (name, owner) VALUES (?, ?)", place: "loose")
        isLoose = connection.prepare("SELECT 1 FROM loose WHERE name = ?", place: "loose")
        fastenOne = connection.prepare("DELETE FROM loose WHERE name = ?", place: "loose")
        fasten = connection.prepare(
            "DELETE FROM loose WHERE name IN (SELECT name FROM loose WHERE owner = ?)",
            place: "loose")
        release = connection.prepare(
            "DELETE FROM loose WHERE name = ? AND owner BETWEEN ? AND ?", place: "loose")
        loose = connection.prepare(
            "SELECT DISTINCT name FROM loose WHERE owner BETWEEN ? AND ? LIMIT ?", place: "loose")
        lastOwner = connection.prepare(
            "SELECT coalesce(max(owner), 0) FROM loose", place: "loose")
    }
}

extension SQLiteStore {
    /// Returns true when a chunk is kept.
    package func hasChunk(_ name: Bytes32) throws(StorageError) -> Bool {
        try file.chunks.exists.firstRow(.bytes(name.array)) { (_) throws(StorageError) in true }
            ?? false
    }

    /// Returns a chunk as it was kept, or nil; nobody has compared it with its name.
    package func chunk(_ name: Bytes32) throws(StorageError) -> [UInt8]? {
        try file.chunks.select.firstRow(.bytes(name.array)) { (row) throws(StorageError) in
            try row.bytes(0)
        }
    }

    /// Keeps a chunk that is not kept yet; true when it was new.
    package func putChunk(_ name: Bytes32, _ bytes: [UInt8]) throws(StorageError) -> Bool {
        checkTransaction()
        if try hasChunk(name) { return false }
        try file.chunks.insert.run(
            .bytes(name.array), .integer(Int64(bytes.count)), .bytes(bytes))
        return true
    }

    /// Forgets a chunk and that it was loose.
    package func removeChunk(_ name: Bytes32) throws(StorageError) {
        checkTransaction()
        try file.chunks.remove.run(.bytes(name.array))
        try file.chunks.fastenOne.run(.bytes(name.array))
    }

    /// Returns the number of chunks and of their bytes.
    package func chunkTotals() throws(StorageError) -> Totals {
        try file.chunks.totals.firstRow { (row) throws(StorageError) in
            Totals(count: try row.number(0), bytes: try row.number(1))
        } ?? Totals(count: 0, bytes: 0)
    }

    /// Notes that no record names a chunk yet, but the file that `owner` attaches will.
    package func loosen(_ name: Bytes32, owner: Int64) throws(StorageError) {
        checkTransaction()
        try file.chunks.loosen.run(.bytes(name.array), .integer(owner))
    }

    /// Returns true when no record names a chunk, as far as is noted.
    package func isLoose(_ name: Bytes32) throws(StorageError) -> Bool {
        try file.chunks.isLoose.firstRow(.bytes(name.array)) { (_) throws(StorageError) in true }
            ?? false
    }

    /// Notes that a record names a chunk.
    package func fasten(_ name: Bytes32) throws(StorageError) {
        checkTransaction()
        try file.chunks.fastenOne.run(.bytes(name.array))
    }

    /// Notes that some owners will name a chunk no more.
    package func release(
        _ name: Bytes32, owners: ClosedRange<Int64>
    ) throws(StorageError) {
        checkTransaction()
        try file.chunks.release.run(
            .bytes(name.array), .integer(owners.lowerBound), .integer(owners.upperBound))
    }

    /// Notes that a record names the chunks of an owner, in the transaction that writes it; whoever
    /// else was to name them may give up.
    package func fasten(owner: Int64) throws(StorageError) {
        checkTransaction()
        try file.chunks.fasten.run(.integer(owner))
    }

    /// Returns loose chunks of some owners, at most `limit`.
    package func looseChunks(
        of owners: ClosedRange<Int64>, limit: Int
    ) throws(StorageError) -> [Bytes32] {
        var found: [Bytes32] = []
        try file.chunks.loose.forEachRow(
            .integer(owners.lowerBound), .integer(owners.upperBound), .integer(Int64(limit))
        ) { (row) throws(StorageError) in
            found.append(try row.bytes32(0))
            return true
        }
        return found
    }

    /// Returns the largest owner of a loose chunk; 0 if there is none.
    package func lastLooseOwner() throws(StorageError) -> Int64 {
        try file.chunks.lastOwner.firstRow { (row) throws(StorageError) in try row.integer(0) }
            ?? 0
    }
}
