import LinnetStorage
import LinnetWire
import Testing

struct BatchTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// A store with two chains, the first with batches 1 to `count`, inside a transaction.
    private func filled(_ count: UInt64, size: Int = 40) throws -> SQLiteStore {
        let store = try home.open()
        try store.begin()
        _ = try store.insertChain(.sample(1))
        _ = try store.insertChain(.sample(2))
        for seq in 1..<(count + 1) { try store.append(.sample(1, seq, size: size)) }
        return store
    }

    @Test func `a batch comes back byte for byte`() throws {
        let store = try filled(3)
        var opened = BatchRow.sample(2, 1, size: 262_160)
        opened.commit = CommitID(repeating: 8)
        opened.part = 2
        opened.parts = 65_535
        try store.append(opened)
        var empty = BatchRow.sample(2, 2)
        empty.ciphertext = []
        try store.append(empty)
        try store.commit()
        #expect(try store.batch(chain: 1, seq: 2) == .sample(1, 2))
        #expect(try store.batch(chain: 2, seq: 1) == opened)
        #expect(try store.batch(chain: 2, seq: 2) == empty)
        #expect(try store.batch(chain: 1, seq: 4) == nil)
        #expect(try store.batch(chain: 3, seq: 1) == nil)
        #expect(try store.batchID(chain: 1, seq: 3) == BatchID(repeating: 3))
        #expect(try store.batchID(chain: 1, seq: 4) == nil)
        #expect(try store.batchTotals(chain: nil) == Totals(count: 5, bytes: 120 + 262_160))
        let ofTwo = try store.batchTotals(chain: 2)
        let ofOne = try store.batchTotals(chain: 1)
        #expect(ofTwo.count == 2 && ofOne.count == 3)
        #expect(ofOne.bytes + ofTwo.bytes == 120 + 262_160)
        #expect(try store.batchTotals(chain: 3) == Totals(count: 0, bytes: 0))
        try store.close()
    }

    @Test func `the same place holds one batch`() throws {
        let store = try filled(1)
        let refused = failure { () throws(StorageError) in try store.append(.sample(1, 1)) }
        #expect(refused == .duplicate)
        store.rollback()
    }

    @Test func `places beyond the range are empty, and refused when written`() throws {
        let store = try filled(1)
        #expect(try store.batch(chain: 1, seq: .max) == nil)
        #expect(try store.batch(chain: .max, seq: 1) == nil)
        #expect(try store.batch(chain: -1, seq: 1) == nil)
        #expect(try store.batchID(chain: 1 << 23, seq: 1) == nil)
        #expect(try store.batches(chain: 1, from: .max, maxBytes: 1).isEmpty)
        let beyond = (StoreLimits.largestChain + 1, StoreLimits.largestSequence + 1)
        for (chain, seq) in [(1, beyond.1), (beyond.0, 1), (0, 1), (-5, 1), (1, .max)] {
            let refused = failure { () throws(StorageError) in
                try store.append(.sample(chain, seq))
            }
            #expect(refused == .outOfRange)
        }
        let last = (chain: StoreLimits.largestChain, seq: StoreLimits.largestSequence)
        try store.append(.sample(last.chain, last.seq))
        #expect(try store.batch(chain: last.chain, seq: last.seq) != nil)
        store.rollback()
    }

    @Test func `a run of batches ends with the chain, and with its bytes`() throws {
        let store = try filled(5, size: 100)
        try store.append(.sample(2, 1))
        try store.commit()
        let sequences = { (store: SQLiteStore, from: UInt64, bytes: Int) in
            try store.batches(chain: 1, from: from, maxBytes: bytes).map(\.seq)
        }
        #expect(try sequences(store, 1, 10_000) == [1, 2, 3, 4, 5])
        #expect(try sequences(store, 4, 10_000) == [4, 5])
        #expect(try sequences(store, 2, 250) == [2, 3])
        #expect(try sequences(store, 2, 1) == [2])
        #expect(try sequences(store, 6, 10_000) == [])
        try store.close()
    }

    @Test func `the parts of a commit are found in their order, over several chains`() throws {
        let store = try filled(3)
        try store.append(.sample(2, 1))
        let commit = CommitID(repeating: 5)
        #expect(try store.partCount(ofCommit: commit) == 0)
        try store.setCommit(chain: 1, seq: 2, commit: commit, part: 3, parts: 3)
        try store.setCommit(chain: 2, seq: 1, commit: commit, part: 1, parts: 3)
        try store.setCommit(chain: 1, seq: 1, commit: commit, part: 2, parts: 3)
        try store.setCommit(
            chain: 1, seq: 3, commit: CommitID(repeating: 6), part: 1, parts: 1)
        try store.commit()
        #expect(
            try store.parts(ofCommit: commit) == [
                CommitPart(chain: 2, seq: 1, part: 1, parts: 3),
                CommitPart(chain: 1, seq: 1, part: 2, parts: 3),
                CommitPart(chain: 1, seq: 2, part: 3, parts: 3),
            ])
        #expect(try store.partCount(ofCommit: commit) == 3)
        #expect(try store.parts(ofCommit: CommitID(repeating: 6)).isEmpty)
        #expect(try store.batch(chain: 1, seq: 3)?.commit == CommitID(repeating: 6))
        try store.close()
    }

    @Test func `a branch takes the batches from the fork on`() throws {
        let store = try filled(5)
        try store.moveBatches(from: 1, startingAt: 4, to: 2)
        try store.commit()
        #expect(try store.batches(chain: 1, from: 1, maxBytes: 10_000).map(\.seq) == [1, 2, 3])
        let moved = try store.batches(chain: 2, from: 1, maxBytes: 10_000)
        #expect(moved.map(\.seq) == [4, 5])
        #expect(moved.map(\.id) == [BatchID(repeating: 4), BatchID(repeating: 5)])
        try store.begin()
        try store.moveBatches(from: 2, startingAt: 1, to: 1)
        try store.commit()
        #expect(
            try store.batches(chain: 1, from: 1, maxBytes: 10_000) == (1...5).map { .sample(1, $0) }
        )
        try store.close()
    }

    @Test func `a row with a value of the wrong size gives an error`() throws {
        var store = try filled(1)
        try store.commit()
        try store.close()
        try home.tamper("UPDATE batches SET signature = x'00'")
        store = try home.open()
        #expect(
            failure { () throws(StorageError) in _ = try store.batch(chain: 1, seq: 1) }
                == .corrupt(where: "batches"))
        try store.close()
    }
}
