package import LinnetWire

/// A batch that cannot be stored in its chain yet: a predecessor or a membership record is missing.
package struct PendingRow: Equatable, Sendable {
    /// The batch identifier.
    package var id: BatchID
    /// The scope in its header.
    package var scope: ScopeID
    /// The device in its header.
    package var device: DeviceID
    /// The incarnation in its header.
    package var incarnation: Incarnation
    /// The sequence in its header.
    package var seq: UInt64
    /// The header as it was signed.
    package var header: [UInt8]
    /// The encrypted operations.
    package var ciphertext: [UInt8]
    /// The author's signature.
    package var signature: [UInt8]

    /// A batch that waits.
    package init(
        id: BatchID, scope: ScopeID, device: DeviceID, incarnation: Incarnation, seq: UInt64,
        header: [UInt8], ciphertext: [UInt8], signature: [UInt8]
    ) {
        self.id = id
        self.scope = scope
        self.device = device
        self.incarnation = incarnation
        self.seq = seq
        self.header = header
        self.ciphertext = ciphertext
        self.signature = signature
    }

    /// The bytes that count against the limits.
    package var size: Int { header.count + ciphertext.count + signature.count }
}

/// The statements on batches that wait.
struct PendingTable: ~Copyable {
    let insert: Statement
    let contains: Statement
    let ofChain: Statement
    let remove: Statement
    let totals: Statement
    let chainTotals: Statement
    let chains: Statement

    init(_ connection: borrowing Connection) {
        let chain = "scope = ? AND device = ? AND incarnation = ?"
        let columns = "id, scope, device, incarnation, seq, header, ciphertext, signature"
        insert = connection.prepare(
            "INSERT INTO pending (\(columns), size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            place: "pending")
        contains = connection.prepare("SELECT 1 FROM pending WHERE id = ?", place: "pending")
        ofChain = connection.prepare(
            "SELECT \(columns) FROM pending WHERE \(chain) AND seq >= ? ORDER BY seq, number",
            place: "pending")
        remove = connection.prepare(
            "DELETE FROM pending WHERE id = ? RETURNING size", place: "pending")
        totals = connection.prepare(
            "SELECT count(*), ifnull(sum(size), 0) FROM pending", place: "pending")
        chainTotals = connection.prepare(
            "SELECT count(*), ifnull(sum(size), 0) FROM pending WHERE \(chain)", place: "pending")
        chains = connection.prepare(
            """
            SELECT scope, device, incarnation, count(*), sum(size) FROM pending
            GROUP BY scope, device, incarnation ORDER BY scope, device, incarnation
            """, place: "pending")
    }

    /// Counts all that waits.
    func countAll() throws(StorageError) -> Totals {
        try totals.firstRow { (row) throws(StorageError) in
            Totals(count: try row.number(0), bytes: try row.number(1))
        } ?? Totals(count: 0, bytes: 0)
    }
}

/// The totals of what waits of one author in one scope.
package struct PendingChain: Equatable, Sendable {
    /// The scope.
    package var scope: ScopeID
    /// The author's device.
    package var device: DeviceID
    /// The author's incarnation.
    package var incarnation: Incarnation
    /// The number and the bytes of what waits.
    package var totals: Totals

    /// Joins the parts as they are.
    package init(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation, totals: Totals
    ) {
        self.scope = scope
        self.device = device
        self.incarnation = incarnation
        self.totals = totals
    }
}

extension SQLiteStore {
    /// Keeps a batch until it can be stored; the caller has held it against the limits.
    package func insertPending(_ batch: PendingRow) throws(StorageError) {
        checkTransaction()
        try file.pending.insert.run(
            .bytes(batch.id.array), .bytes(batch.scope.array), .bytes(batch.device.array),
            .bytes(batch.incarnation.array), .integer(try Self.column(batch.seq)),
            .bytes(batch.header), .bytes(batch.ciphertext), .bytes(batch.signature),
            .integer(Int64(batch.size)))
        pendingTotals.count += 1
        pendingTotals.bytes += batch.size
    }

    /// Returns true when a batch waits.
    package func isPending(_ id: BatchID) throws(StorageError) -> Bool {
        try file.pending.contains.firstRow(.bytes(id.array)) { (_) throws(StorageError) in true }
            ?? false
    }

    /// Returns the batches of one author in one scope that wait, from a sequence on, until
    /// `maxBytes` are passed; one batch at least, if there is one.
    package func pending(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation, from seq: UInt64,
        maxBytes: Int
    ) throws(StorageError) -> [PendingRow] {
        guard let from = try? Self.column(seq) else { return [] }
        var found: [PendingRow] = []
        var bytes = 0
        try file.pending.ofChain.forEachRow(
            .bytes(scope.array), .bytes(device.array), .bytes(incarnation.array),
            .integer(from)
        ) { (row) throws(StorageError) in
            let batch = PendingRow(
                id: try row.bytes32(0), scope: try row.bytes16(1), device: try row.bytes32(2),
                incarnation: try row.bytes8(3), seq: try row.number(4), header: try row.bytes(5),
                ciphertext: try row.bytes(6), signature: try row.bytes(7))
            bytes += batch.size
            guard found.isEmpty || bytes <= maxBytes else { return false }
            found.append(batch)
            return true
        }
        return found
    }

    /// Forgets a batch that no longer waits.
    package func removePending(_ id: BatchID) throws(StorageError) {
        checkTransaction()
        let size = try file.pending.remove.firstRow(.bytes(id.array)) {
            (row) throws(StorageError) in try row.number(0, as: Int.self)
        }
        guard let size else { return }
        pendingTotals.count -= 1
        pendingTotals.bytes -= size
    }

    /// Returns the number and the bytes of the batches of one author in one scope that wait.
    package func pendingTotals(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation
    ) throws(StorageError) -> Totals {
        try file.pending.chainTotals.firstRow(
            .bytes(scope.array), .bytes(device.array), .bytes(incarnation.array)
        ) { (row) throws(StorageError) in
            Totals(count: try row.number(0), bytes: try row.number(1))
        } ?? Totals(count: 0, bytes: 0)
    }

    /// Returns the totals of waiting batches for each author in each scope.
    package func pendingChains() throws(StorageError) -> [PendingChain] {
        var found: [PendingChain] = []
        try file.pending.chains.forEachRow { (row) throws(StorageError) in
            found.append(
                PendingChain(
                    scope: try row.bytes16(0), device: try row.bytes32(1),
                    incarnation: try row.bytes8(2),
                    totals: Totals(count: try row.number(3), bytes: try row.number(4))))
            return true
        }
        return found
    }
}
