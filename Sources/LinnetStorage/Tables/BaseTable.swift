internal import LinnetCRDT
package import LinnetWire

/// The statements on the records of bases.
struct BaseTable: ~Copyable {
    let put: Statement
    let one: Statement
    let following: Statement
    let totals: Statement
    let remove: Statement
    let removeScope: Statement
    let adopt: Statement
    let setFloor: Statement
    let removeFloor: Statement

    init(_ connection: borrowing Connection) {
        put = connection.prepare(
            """
            INSERT INTO bases (shelf, collection, id, scope, sealed) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (shelf, collection, id) DO UPDATE SET scope = ?4, sealed = ?5
            """, place: "bases")
        one = connection.prepare(
            "SELECT scope, sealed FROM bases WHERE shelf = ? AND collection = ? AND id = ?",
            place: "bases")
        following = connection.prepare(
            """
            SELECT collection, id, scope, sealed FROM bases
            WHERE shelf = ? AND (collection, id) > (?, ?) ORDER BY collection, id LIMIT ?
            """, place: "bases")
        totals = connection.prepare(
            "SELECT count(*), ifnull(sum(length(sealed)), 0) FROM bases WHERE shelf = ?",
            place: "bases")
        remove = connection.prepare("DELETE FROM bases WHERE shelf = ?", place: "bases")
        removeScope = connection.prepare(
            "DELETE FROM bases WHERE shelf = ? AND scope = ?", place: "bases")
        adopt = connection.prepare(
            "UPDATE OR REPLACE bases SET shelf = ? WHERE shelf = ?", place: "bases")
        setFloor = connection.prepare(
            "INSERT OR REPLACE INTO floors (chain_number, seq) VALUES (?, ?)", place: "floors")
        removeFloor = connection.prepare(
            "DELETE FROM floors WHERE chain_number = ?", place: "floors")
    }
}

extension SQLiteStore {
    /// Keeps a record of a base over the one before.
    package func putBase(_ row: BaseRow, on shelf: BaseShelf) throws(StorageError) {
        checkTransaction()
        try file.bases.put.run(
            .integer(shelf.rawValue), .integer(Int64(row.name.collection)),
            .bytes(row.name.id.utf8), .bytes(row.scope.array), .bytes(row.sealed))
    }

    /// Returns a record of a base as it was kept, or nil.
    package func base(
        of name: RecordName, on shelf: BaseShelf
    ) throws(StorageError) -> BaseRow? {
        try file.bases.one.firstRow(
            .integer(shelf.rawValue), .integer(Int64(name.collection)), .bytes(name.id.utf8)
        ) { (row) throws(StorageError) in
            BaseRow(name: name, scope: try row.bytes16(0), sealed: try row.bytes(1))
        }
    }

    /// Returns records of a base in order, those that follow `after`, at most `limit`.
    package func bases(
        after: RecordName?, limit: Int, on shelf: BaseShelf
    ) throws(StorageError) -> [BaseRow] {
        var found: [BaseRow] = []
        try file.bases.following.forEachRow(
            .integer(shelf.rawValue), .integer(Int64(after?.collection ?? 0)),
            .bytes(after?.id.utf8 ?? []), .integer(Int64(limit))
        ) { (row) throws(StorageError) in
            guard let id = Self.recordID(try row.bytes(1)) else { throw row.corrupt }
            found.append(
                BaseRow(
                    name: RecordName(collection: try row.number(0), id: id),
                    scope: try row.bytes16(2), sealed: try row.bytes(3)))
            return true
        }
        return found
    }

    /// Returns the number of records of a base and their bytes.
    package func baseTotals(on shelf: BaseShelf) throws(StorageError) -> Totals {
        try file.bases.totals.firstRow(.integer(shelf.rawValue)) { (row) throws(StorageError) in
            Totals(count: Int(try row.integer(0)), bytes: Int(try row.integer(1)))
        } ?? Totals(count: 0, bytes: 0)
    }

    /// Forgets the records of a base, those of one scope or all when nil.
    package func removeBases(scope: ScopeID?, on shelf: BaseShelf) throws(StorageError) {
        checkTransaction()
        guard let scope else { return try file.bases.remove.run(.integer(shelf.rawValue)) }
        try file.bases.removeScope.run(.integer(shelf.rawValue), .bytes(scope.array))
    }

    /// Makes the records of the base that came one's own, each in the place of the one before.
    package func adoptArrivedBases() throws(StorageError) {
        checkTransaction()
        try file.bases.adopt.run(
            .integer(BaseShelf.own.rawValue), .integer(BaseShelf.arriving.rawValue))
    }

    /// Keeps the last sequence of a chain that the base holds; 0 where it holds none.
    package func setFloor(of chain: Int64, _ seq: UInt64) throws(StorageError) {
        checkTransaction()
        guard seq > 0 else { return try file.bases.removeFloor.run(.integer(chain)) }
        try file.bases.setFloor.run(.integer(chain), .integer(try Self.column(seq)))
    }

    /// Forgets the batches of a chain below a sequence.
    package func removeBatches(chain: Int64, below seq: UInt64) throws(StorageError) {
        checkTransaction()
        guard seq > 0 else { return }
        try file.batches.removeRange.run(
            .integer(try Self.batchKey(chain: chain, seq: 0)),
            .integer(try Self.batchKey(chain: chain, seq: seq - 1)))
    }
}
