package import LinnetWire

/// One batch as its author signed it; the chain's row supplies the rest of the header.
package struct BatchRow: Equatable, Sendable {
    /// The number of the chain.
    package var chain: Int64
    /// The place in the chain, from 1.
    package var seq: UInt64
    /// The batch identifier.
    package var id: BatchID
    /// The identifier of the batch before, zero at sequence 1.
    package var prev: BatchID
    /// The epoch whose data key encrypts it.
    package var epoch: EpochID
    /// The 24-byte nonce in the header.
    package var nonce: [UInt8]
    /// The root of the scope that the header names; nil where it names none.
    package var root: ScopeID?
    /// The encrypted operations.
    package var ciphertext: [UInt8]
    /// The author's 64-byte signature.
    package var signature: [UInt8]
    /// The commit it is a part of, nil until the batch was opened.
    package var commit: CommitID?
    /// The number of the part within its commit, from 1; 0 until the batch was opened.
    package var part: UInt32
    /// The number of parts of the commit; 0 until the batch was opened.
    package var parts: UInt32

    /// A batch; one that was not opened yet has no commit.
    package init(
        chain: Int64, seq: UInt64, id: BatchID, prev: BatchID, epoch: EpochID, nonce: [UInt8],
        root: ScopeID? = nil, ciphertext: [UInt8], signature: [UInt8], commit: CommitID? = nil,
        part: UInt32 = 0,
        parts: UInt32 = 0
    ) {
        self.chain = chain
        self.seq = seq
        self.id = id
        self.prev = prev
        self.epoch = epoch
        self.nonce = nonce
        self.root = root
        self.ciphertext = ciphertext
        self.signature = signature
        self.commit = commit
        self.part = part
        self.parts = parts
    }
}

extension BatchRow {
    fileprivate static let nonceBytes = 24

    /// The nonce, and behind it the root where the header names one.
    fileprivate var nonceColumn: [UInt8] { nonce + (root?.array ?? []) }
}

/// The place of a stored part of a commit that has several.
package struct CommitPart: Equatable, Sendable {
    /// The number of the chain.
    package var chain: Int64
    /// The place in the chain.
    package var seq: UInt64
    /// The number of the part, from 1.
    package var part: UInt32
    /// The number of parts that it says there are.
    package var parts: UInt32

    /// A part and its place.
    package init(chain: Int64, seq: UInt64, part: UInt32, parts: UInt32) {
        self.chain = chain
        self.seq = seq
        self.part = part
        self.parts = parts
    }
}

/// A number of rows and the bytes that they carry.
package struct Totals: Equatable, Sendable {
    /// The number of rows.
    package var count: Int
    /// The bytes of their ciphertexts, and of headers where these are kept.
    package var bytes: Int

    /// A number of rows and of bytes.
    package init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

/// The statements on batches. A batch's key is the chain's number and the sequence in one integer,
/// so that a chain is one contiguous range.
struct BatchTable: ~Copyable {
    let insert: Statement
    let replace: Statement
    let one: Statement
    let id: Statement
    let from: Statement
    let setCommit: Statement
    let parts: Statement
    let partCount: Statement
    let move: Statement
    let totals: Statement
    let removeRange: Statement
    let countRange: Statement
    let commits: Statement

    init(_ connection: borrowing Connection) {
        let columns =
            "key, id, prev, epoch, nonce, ciphertext, signature, commit_id, part, parts"
        insert = connection.prepare(
            "INSERT INTO batches (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            place: "batches")
        replace = connection.prepare(
            """
            UPDATE batches SET id = ?2, prev = ?3, epoch = ?4, nonce = ?5, ciphertext = ?6,
            signature = ?7 WHERE key = ?1
            """, place: "batches")
        one = connection.prepare(
            "SELECT \(columns) FROM batches WHERE key = ?", place: "batches")
        id = connection.prepare("SELECT id FROM batches WHERE key = ?", place: "batches")
        from = connection.prepare(
            "SELECT \(columns) FROM batches WHERE key BETWEEN ? AND ? ORDER BY key",
            place: "batches")
        setCommit = connection.prepare(
            "UPDATE batches SET commit_id = ?2, part = ?3, parts = ?4 WHERE key = ?1",
            place: "batches")
        parts = connection.prepare(
            """
            SELECT key, part, parts FROM batches WHERE commit_id = ? AND parts > 1
            ORDER BY part, key
            """, place: "batches")
        partCount = connection.prepare(
            "SELECT count(*) FROM batches WHERE commit_id = ? AND parts > 1", place: "batches")
        move = connection.prepare(
            "UPDATE batches SET key = key + ?3 WHERE key BETWEEN ?1 AND ?2", place: "batches")
        removeRange = connection.prepare(
            "DELETE FROM batches WHERE key BETWEEN ? AND ?", place: "batches")
        countRange = connection.prepare(
            "SELECT count(*) FROM batches WHERE key BETWEEN ? AND ?", place: "batches")
        commits = connection.prepare(
            """
            SELECT DISTINCT commit_id FROM batches
            WHERE parts > 1 AND commit_id IS NOT NULL ORDER BY commit_id
            """, place: "batches")
        totals = connection.prepare(
            """
            SELECT count(*), ifnull(sum(length(ciphertext)), 0) FROM batches
            WHERE key BETWEEN ? AND ?
            """, place: "batches")
    }
}

extension SQLiteStore {
    /// The row key of a batch.
    static func batchKey(chain: Int64, seq: UInt64) throws(StorageError) -> Int64 {
        guard chain >= 1, chain <= StoreLimits.largestChain, seq <= StoreLimits.largestSequence
        else { throw .outOfRange }
        return chain << 40 | Int64(seq)
    }

    /// Stores a batch; the caller has checked it and updates the chain in the same transaction.
    package func append(_ batch: BatchRow) throws(StorageError) {
        checkTransaction()
        try file.batches.insert.run(
            .integer(try Self.batchKey(chain: batch.chain, seq: batch.seq)),
            .bytes(batch.id.array), .bytes(batch.prev.array), .bytes(batch.epoch.array),
            .bytes(batch.nonceColumn), .bytes(batch.ciphertext), .bytes(batch.signature),
            .optional(batch.commit?.array), .integer(Int64(batch.part)),
            .integer(Int64(batch.parts)))
    }

    /// Writes a stored batch anew, after its bytes were damaged; what is known of its commit stays.
    package func replaceBatch(_ batch: BatchRow) throws(StorageError) {
        checkTransaction()
        try file.batches.replace.run(
            .integer(try Self.batchKey(chain: batch.chain, seq: batch.seq)),
            .bytes(batch.id.array), .bytes(batch.prev.array), .bytes(batch.epoch.array),
            .bytes(batch.nonceColumn), .bytes(batch.ciphertext), .bytes(batch.signature))
    }

    /// The batch at a place in a chain, or nil.
    package func batch(chain: Int64, seq: UInt64) throws(StorageError) -> BatchRow? {
        guard let key = try? Self.batchKey(chain: chain, seq: seq) else { return nil }
        return try file.batches.one.firstRow(.integer(key)) { (row) throws(StorageError) in
            try Self.batch(in: row)
        }
    }

    /// The identifier of the batch at a place in a chain, or nil.
    package func batchID(chain: Int64, seq: UInt64) throws(StorageError) -> BatchID? {
        guard let key = try? Self.batchKey(chain: chain, seq: seq) else { return nil }
        return try file.batches.id.firstRow(.integer(key)) { (row) throws(StorageError) in
            try row.bytes32(0)
        }
    }

    /// The batches of a chain from `seq` on, until their ciphertexts pass `maxBytes`; one at least,
    /// if there is one.
    package func batches(
        chain: Int64, from seq: UInt64, maxBytes: Int
    ) throws(StorageError) -> [BatchRow] {
        guard let key = try? Self.batchKey(chain: chain, seq: seq) else { return [] }
        var found: [BatchRow] = []
        var bytes = 0
        try file.batches.from.forEachRow(
            .integer(key),
            .integer(try Self.batchKey(chain: chain, seq: StoreLimits.largestSequence))
        ) { (row) throws(StorageError) in
            let batch = try Self.batch(in: row)
            bytes += batch.ciphertext.count
            guard found.isEmpty || bytes <= maxBytes else { return false }
            found.append(batch)
            return true
        }
        return found
    }

    /// Notes which part of which commit a batch is, once it was opened.
    package func setCommit(
        chain: Int64, seq: UInt64, commit: CommitID, part: UInt32, parts: UInt32
    ) throws(StorageError) {
        checkTransaction()
        try file.batches.setCommit.run(
            .integer(try Self.batchKey(chain: chain, seq: seq)), .bytes(commit.array),
            .integer(Int64(part)), .integer(Int64(parts)))
    }

    /// The stored parts of a commit that has several, in their order.
    package func parts(ofCommit commit: CommitID) throws(StorageError) -> [CommitPart] {
        var found: [CommitPart] = []
        try file.batches.parts.forEachRow(.bytes(commit.array)) { (row) throws(StorageError) in
            let key = try row.integer(0)
            found.append(
                CommitPart(
                    chain: key >> 40, seq: UInt64(key) & StoreLimits.largestSequence,
                    part: try row.number(1), parts: try row.number(2)))
            return true
        }
        return found
    }

    /// Returns the number of stored parts of a commit that has several.
    package func partCount(ofCommit commit: CommitID) throws(StorageError) -> Int {
        try file.batches.partCount.firstRow(.bytes(commit.array)) { (row) throws(StorageError) in
            try row.number(0)
        } ?? 0
    }

    /// Moves the batches of a chain from `seq` on to another chain; they keep their sequences.
    package func moveBatches(
        from chain: Int64, startingAt seq: UInt64, to target: Int64
    ) throws(StorageError) {
        checkTransaction()
        let first = try Self.batchKey(chain: chain, seq: seq)
        let moved = try Self.batchKey(chain: target, seq: seq)
        try file.batches.move.run(
            .integer(first),
            .integer(try Self.batchKey(chain: chain, seq: StoreLimits.largestSequence)),
            .integer(moved - first))
    }

    /// Forgets the batches of a chain from a sequence on, whose row the caller writes anew.
    package func removeBatches(chain: Int64, from seq: UInt64) throws(StorageError) {
        checkTransaction()
        try file.batches.removeRange.run(
            .integer(try Self.batchKey(chain: chain, seq: seq)),
            .integer(try Self.batchKey(chain: chain, seq: StoreLimits.largestSequence)))
    }

    /// Returns the number of batches of a chain in a range of sequences; reads them all.
    package func batchCount(
        chain: Int64, in seqs: ClosedRange<UInt64>
    ) throws(StorageError) -> Int {
        try file.batches.countRange.firstRow(
            .integer(try Self.batchKey(chain: chain, seq: seqs.lowerBound)),
            .integer(try Self.batchKey(chain: chain, seq: seqs.upperBound))
        ) { (row) throws(StorageError) in try row.number(0) } ?? 0
    }

    /// Returns the commits of several parts of which any is stored, in the order of their names.
    package func commitsInParts() throws(StorageError) -> [CommitID] {
        var found: [CommitID] = []
        try file.batches.commits.forEachRow { (row) throws(StorageError) in
            found.append(try row.bytes16(0))
            return true
        }
        return found
    }

    /// Returns the number of stored batches, of one chain or of all when nil, and the bytes of
    /// their ciphertexts; reads all their rows.
    package func batchTotals(chain: Int64?) throws(StorageError) -> Totals {
        let range = chain.map { $0 << 40...($0 << 40 | Int64(StoreLimits.largestSequence)) }
        return try file.batches.totals.firstRow(
            .integer(range?.lowerBound ?? 0), .integer(range?.upperBound ?? .max)
        ) { (row) throws(StorageError) in
            Totals(count: try row.number(0), bytes: try row.number(1))
        } ?? Totals(count: 0, bytes: 0)
    }

    private static func batch(in row: borrowing Statement) throws(StorageError) -> BatchRow {
        let key = try row.integer(0)
        guard key > 0 else { throw row.corrupt }
        let nonce = try row.bytes(4)
        let root =
            nonce.count == BatchRow.nonceBytes
            ? nil : ScopeID(Array(nonce.dropFirst(BatchRow.nonceBytes)))
        guard nonce.count == BatchRow.nonceBytes || root != nil else { throw row.corrupt }
        return BatchRow(
            chain: key >> 40, seq: UInt64(key) & StoreLimits.largestSequence,
            id: try row.bytes32(1),
            prev: try row.bytes32(2), epoch: try row.bytes32(3),
            nonce: Array(nonce.prefix(BatchRow.nonceBytes)), root: root,
            ciphertext: try row.bytes(5),
            signature: try row.bytes(6, count: 64),
            commit: row.isNull(7) ? nil : try row.bytes16(7), part: try row.number(8),
            parts: try row.number(9))
    }
}
