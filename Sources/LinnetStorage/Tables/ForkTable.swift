package import LinnetWire

/// The proof that an author wrote two histories.
package struct ForkRow: Equatable, Sendable {
    /// The scope of the chain.
    package var scope: ScopeID
    /// The chain that forked.
    package var chain: AuthorID
    /// The first sequence that differs.
    package var seq: UInt64
    /// Both signed headers, as the message that carries them.
    package var proof: [UInt8]

    /// A proof.
    package init(scope: ScopeID, chain: AuthorID, seq: UInt64, proof: [UInt8]) {
        self.scope = scope
        self.chain = chain
        self.seq = seq
        self.proof = proof
    }
}

/// The statements on proofs of forks.
struct ForkTable: ~Copyable {
    let insert: Statement
    let all: Statement

    init(_ connection: borrowing Connection) {
        insert = connection.prepare(
            "INSERT INTO forks (scope, chain, seq, proof) VALUES (?, ?, ?, ?)", place: "forks")
        all = connection.prepare(
            "SELECT scope, chain, seq, proof FROM forks ORDER BY number", place: "forks")
    }
}

extension SQLiteStore {
    /// Keeps the proof of a fork.
    package func addFork(_ fork: ForkRow) throws(StorageError) {
        checkTransaction()
        try file.forks.insert.run(
            .bytes(fork.scope.array), .bytes(fork.chain.array),
            .integer(try Self.column(fork.seq)), .bytes(fork.proof))
    }

    /// Every proof, in the order they were found.
    package func forks() throws(StorageError) -> [ForkRow] {
        var found: [ForkRow] = []
        try file.forks.all.forEachRow { (row) throws(StorageError) in
            found.append(
                ForkRow(
                    scope: try row.bytes16(0), chain: try row.bytes16(1), seq: try row.number(2),
                    proof: try row.bytes(3)))
            return true
        }
        return found
    }
}
