package import LinnetWire

/// The store's knowledge of one author's batches in one scope.
package struct ChainRow: Equatable, Sendable {
    /// The local number, below 2^23; never on the wire.
    package let index: Int64
    /// The scope that the batches belong to.
    package let scope: ScopeID
    /// The chain's name: the author, or after a fork the branch.
    package let chain: AuthorID
    /// The device that signs the batches.
    package let device: DeviceID
    /// The incarnation in their headers.
    package let incarnation: Incarnation
    /// The first sequence it holds: 1, or the fork point.
    package var first: UInt64
    /// The last sequence stored without a gap, `first - 1` when none is.
    package var stored: UInt64
    /// The batch at `stored`; for an empty branch the one before `first`.
    package var head: BatchID
    /// The last sequence whose operations are visible.
    package var applied: UInt64
    /// The last sequence whose effects are in the rows of records; later ones may be, too.
    package var folded: UInt64
    /// On a trunk, the sequence it never reaches.
    package var forkedAt: UInt64?
    /// The chain that a branch grew from.
    package var parent: Int64?
    /// The last sequence that the base of records holds, 0 where it holds none; those before it are
    /// not kept.
    package var floor: UInt64 = 0
}

/// A chain that has no number yet.
package struct NewChain: Equatable, Sendable {
    /// The scope that the batches belong to.
    package var scope: ScopeID
    /// The chain's name: the author, or after a fork the branch.
    package var chain: AuthorID
    /// The device that signs the batches.
    package var device: DeviceID
    /// The incarnation in their headers.
    package var incarnation: Incarnation
    /// The first sequence it will hold.
    package var first: UInt64
    /// The batch before `first`, zero when `first` is 1.
    package var head: BatchID
    /// The chain that a branch grows from.
    package var parent: Int64?

    /// An empty chain, from sequence 1 unless said otherwise.
    package init(
        scope: ScopeID, chain: AuthorID, device: DeviceID, incarnation: Incarnation,
        first: UInt64 = 1, head: BatchID = .zero, parent: Int64? = nil
    ) {
        self.scope = scope
        self.chain = chain
        self.device = device
        self.incarnation = incarnation
        self.first = first
        self.head = head
        self.parent = parent
    }
}

extension ChainRow {
    /// An empty chain under the number that a store gives it.
    package init(number: Int64, _ chain: NewChain) {
        self.init(
            index: number, scope: chain.scope, chain: chain.chain, device: chain.device,
            incarnation: chain.incarnation, first: chain.first, stored: chain.first - 1,
            head: chain.head, applied: chain.first - 1, folded: chain.first - 1, forkedAt: nil,
            parent: chain.parent)
    }
}

/// The statements on chains.
struct ChainTable: ~Copyable {
    let insert: Statement
    let advance: Statement
    let update: Statement
    let all: Statement
    let next: Statement

    init(_ connection: borrowing Connection) {
        insert = connection.prepare(
            """
            INSERT INTO chains (number, scope, chain, device, incarnation, first, stored, head,
            applied, folded, forked_at, parent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, place: "chains")
        // What refers to nothing is written in place.
        advance = connection.prepare(
            """
            UPDATE chains SET stored = ?3, head = ?4, applied = ?5, folded = ?6
            WHERE number = ?1 AND first = ?2 AND forked_at IS ?7 AND parent IS ?8
            """, place: "chains")
        update = connection.prepare(
            """
            UPDATE chains SET first = ?2, stored = ?3, head = ?4, applied = ?5, folded = ?6,
            forked_at = ?7, parent = ?8 WHERE number = ?1
            """, place: "chains")
        all = connection.prepare(
            """
            SELECT number, scope, chain, device, incarnation, first, stored, head, applied,
            folded, forked_at, parent, ifnull(seq, 0)
            FROM chains LEFT JOIN floors ON number = floors.chain_number ORDER BY number
            """, place: "chains")
        next = connection.prepare(
            "SELECT ifnull(max(number), 0) + 1 FROM chains", place: "chains")
    }
}

extension SQLiteStore {
    /// Every chain, in the order of their numbers.
    package func chains() throws(StorageError) -> [ChainRow] {
        var found: [ChainRow] = []
        try file.chains.all.forEachRow { (row) throws(StorageError) in
            found.append(
                ChainRow(
                    index: try row.integer(0), scope: try row.bytes16(1), chain: try row.bytes16(2),
                    device: try row.bytes32(3), incarnation: try row.bytes8(4),
                    first: try row.number(5), stored: try row.number(6), head: try row.bytes32(7),
                    applied: try row.number(8), folded: try row.number(9),
                    forkedAt: row.isNull(10) ? nil : try row.number(10),
                    parent: row.isNull(11) ? nil : try row.integer(11),
                    floor: try row.number(12)))
            return true
        }
        return found
    }

    /// Adds an empty chain and gives it the next number.
    package func insertChain(_ chain: NewChain) throws(StorageError) -> ChainRow {
        checkTransaction()
        guard chain.first >= 1, chain.first <= StoreLimits.largestSequence else {
            throw .outOfRange
        }
        let number = try file.chains.next.firstRow { (row) throws(StorageError) in
            try row.integer(0)
        }
        guard let number else { throw .corrupt(where: "chains") }
        _ = try Self.batchKey(chain: number, seq: chain.first)
        let row = ChainRow(number: number, chain)
        try file.chains.insert.run(
            .integer(row.index), .bytes(row.scope.array), .bytes(row.chain.array),
            .bytes(row.device.array), .bytes(row.incarnation.array),
            .integer(try Self.column(row.first)), .integer(try Self.column(row.stored)),
            .bytes(row.head.array), .integer(try Self.column(row.applied)),
            .integer(try Self.column(row.folded)), .null, .optional(row.parent))
        return row
    }

    /// Writes what can change of a chain: its bounds, its head and its place in a fork.
    package func updateChain(_ row: ChainRow) throws(StorageError) {
        checkTransaction()
        let before = file.connection.changes
        try update(row, with: file.chains.advance)
        if file.connection.changes == before { try update(row, with: file.chains.update) }
    }

    private func update(
        _ row: ChainRow, with statement: borrowing Statement
    ) throws(StorageError) {
        try statement.run(
            .integer(row.index), .integer(try Self.column(row.first)),
            .integer(try Self.column(row.stored)), .bytes(row.head.array),
            .integer(try Self.column(row.applied)), .integer(try Self.column(row.folded)),
            .optional(try row.forkedAt.map { (seq) throws(StorageError) in try Self.column(seq) }),
            .optional(row.parent))
    }

    /// The integer that stands for a sequence.
    static func column(_ seq: UInt64) throws(StorageError) -> Int64 {
        guard seq <= StoreLimits.largestSequence else { throw .outOfRange }
        return Int64(seq)
    }
}
