package import LinnetStorage
package import LinnetWire

extension ModelStore {
    /// The answer of SQLite when a row names another that is not there.
    private static let noParent = StorageError.io(code: 19 | 3 << 8)

    /// Every chain, in the order of their numbers.
    package func chains() throws(StorageError) -> [ChainRow] { tables.chains }

    /// Adds an empty chain and gives it the next number; `duplicate` when it is there.
    package func insertChain(_ chain: NewChain) throws(StorageError) -> ChainRow {
        checkTransaction()
        guard chain.first >= 1, chain.first <= StoreLimits.largestSequence else {
            throw .outOfRange
        }
        let number = Int64(tables.chains.count + 1)
        guard number <= StoreLimits.largestChain else { throw .outOfRange }
        for row in tables.chains where row.chain == chain.chain && row.scope == chain.scope {
            throw .duplicate
        }
        if let parent = chain.parent, !(1...number).contains(parent) { throw Self.noParent }
        let row = ChainRow(number: number, chain)
        tables.chains.append(row)
        note(.chainAdded)
        return row
    }

    /// Writes what can change of a chain: its bounds, its head and its place in a fork.
    package func updateChain(_ row: ChainRow) throws(StorageError) {
        checkTransaction()
        let largest = StoreLimits.largestSequence
        guard row.first <= largest, row.stored <= largest, row.applied <= largest,
            row.folded <= largest, row.forkedAt ?? 0 <= largest
        else { throw .outOfRange }
        let numbers = 1...Int64(tables.chains.count + 1)
        guard row.index < numbers.upperBound, row.index >= 1 else { return }
        if let parent = row.parent, parent < 1 || parent >= numbers.upperBound {
            throw Self.noParent
        }
        let place = Int(row.index) - 1
        note(.chain(tables.chains[place]))
        tables.chains[place].first = row.first
        tables.chains[place].stored = row.stored
        tables.chains[place].head = row.head
        tables.chains[place].applied = row.applied
        tables.chains[place].folded = row.folded
        tables.chains[place].forkedAt = row.forkedAt
        tables.chains[place].parent = row.parent
    }

    /// Stores a batch; the caller has checked it and updates the chain in the same transaction.
    package func append(_ batch: BatchRow) throws(StorageError) {
        checkTransaction()
        guard Self.isPlace(batch.chain, batch.seq) else { throw .outOfRange }
        guard tables.batches.insert(batch) else { throw .duplicate }
        note(.batchAdded(chain: batch.chain, seq: batch.seq))
    }

    /// Writes a stored batch anew; what is known of its commit stays.
    package func replaceBatch(_ batch: BatchRow) throws(StorageError) {
        checkTransaction()
        if let before = tables.batches.replace(batch) { note(.batchReplaced(before)) }
    }

    /// Forgets the batches of a chain from a sequence on, whose row the caller writes anew.
    package func removeBatches(chain: Int64, from seq: UInt64) throws(StorageError) {
        checkTransaction()
        guard Self.isPlace(chain, seq) else { throw .outOfRange }
        let before = tables.batches
        if tables.batches.removeAll(chain: chain, from: seq) { note(.batchesRemoved(before)) }
    }

    /// The number of batches of a chain in a range of sequences.
    package func batchCount(
        chain: Int64, in seqs: ClosedRange<UInt64>
    ) throws(StorageError) -> Int {
        guard Self.isPlace(chain, seqs.upperBound) else { throw .outOfRange }
        return tables.batches.list(chain).rows.count { seqs.contains($0.seq) }
    }

    /// The commits of several parts of which any is stored, in the order of their names.
    package func commitsInParts() throws(StorageError) -> [CommitID] {
        tables.batches.commitsInParts
    }

    /// The batch at a place in a chain, or nil.
    package func batch(chain: Int64, seq: UInt64) throws(StorageError) -> BatchRow? {
        guard let row = tables.batches.row(chain: chain, seq: seq) else { return nil }
        return try Self.checked(row)
    }

    /// The identifier of the batch at a place in a chain, or nil.
    package func batchID(chain: Int64, seq: UInt64) throws(StorageError) -> BatchID? {
        tables.batches.id(chain: chain, seq: seq)
    }

    /// The batches of a chain from `seq` on, until their ciphertexts pass `maxBytes`; one at least,
    /// if there is one.
    package func batches(
        chain: Int64, from seq: UInt64, maxBytes: Int
    ) throws(StorageError) -> [BatchRow] {
        let list = tables.batches.list(chain)
        var found: [BatchRow] = []
        var bytes = 0
        for place in list.lowerBound(seq)..<list.rows.count {
            let row = try Self.checked(list.rows[place])
            bytes += row.ciphertext.count
            guard found.isEmpty || bytes <= maxBytes else { break }
            found.append(row)
        }
        return found
    }

    /// Notes which part of which commit a batch is, once it was opened.
    package func setCommit(
        chain: Int64, seq: UInt64, commit: CommitID, part: UInt32, parts: UInt32
    ) throws(StorageError) {
        checkTransaction()
        guard Self.isPlace(chain, seq) else { throw .outOfRange }
        guard
            let before = tables.batches.tag(
                chain: chain, seq: seq, commit: commit, part: part, parts: parts)
        else { return }
        note(
            .batchTagged(
                chain: chain, seq: seq, commit: before.commit, part: before.part,
                parts: before.parts))
    }

    /// The stored parts of a commit that has several, in their order.
    package func parts(ofCommit commit: CommitID) throws(StorageError) -> [CommitPart] {
        tables.batches.parts(of: commit)
    }

    /// The number of stored parts of a commit of several.
    package func partCount(ofCommit commit: CommitID) throws(StorageError) -> Int {
        tables.batches.parts(of: commit).count
    }

    /// Moves the batches of a chain from `seq` on to another chain; they keep their sequences.
    package func moveBatches(
        from chain: Int64, startingAt seq: UInt64, to target: Int64
    ) throws(StorageError) {
        checkTransaction()
        guard Self.isPlace(chain, seq), Self.isPlace(target, seq) else { throw .outOfRange }
        let before = tables.batches.list(chain)
        let other = tables.batches.list(target)
        guard let moved = tables.batches.move(from: chain, startingAt: seq, to: target) else {
            throw .duplicate
        }
        if moved > 0 { note(.batchesMoved(chain: chain, before, target: target, other)) }
    }

    /// Counts the stored batches, of one chain or of all, and the bytes of their ciphertexts.
    package func batchTotals(chain: Int64?) throws(StorageError) -> Totals {
        guard let chain else { return tables.batches.totals }
        return tables.batches.list(chain).rows.reduce(into: Totals(count: 0, bytes: 0)) {
            $0.count += 1
            $0.bytes += $1.ciphertext.count
        }
    }

    private static func isPlace(_ chain: Int64, _ seq: UInt64) -> Bool {
        chain >= 1 && chain <= StoreLimits.largestChain && seq <= StoreLimits.largestSequence
    }

    /// The row, unless its lengths cannot be.
    private static func checked(_ row: BatchRow) throws(StorageError) -> BatchRow {
        guard row.nonce.count == 24, row.signature.count == 64 else {
            throw .corrupt(where: "batches")
        }
        return row
    }
}
