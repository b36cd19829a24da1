import LinnetCRDT
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

/// A random walk through the calls of a store, over names so few that they meet again and again.
struct StoreWalk {
    var random: SeededRandom
    let pair: StorePair

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        pair = try StorePair()
    }

    /// One step: a call inside or around a transaction, sometimes the end of the process.
    mutating func step() throws {
        guard pair.model.isInTransaction else { return try stepOutside() }
        switch random.below(24) {
        case 0: try pair.perform { (store) throws(StorageError) in try store.commit() }
        case 1: try pair.perform { (store) in store.rollback() }
        case 2 where random.chance(1, in: 8): try pair.reopen(closing: false)
        case 3...6: try chainStep()
        case 7...13: try batchStep()
        case 14...16: try recordStep()
        case 17...19: try pendingStep()
        default: try listStep()
        }
    }

    private mutating func stepOutside() throws {
        switch random.below(12) {
        case 0: try pair.perform { (store) throws(StorageError) in try store.flush() }
        case 1: try pair.reopen(closing: random.chance(1, in: 2))
        case 2: try pair.perform { (store) in store.rollback() }
        default:
            let durability: Durability = random.chance(1, in: 2) ? .full : .relaxed
            try pair.perform { (store) throws(StorageError) in try store.begin(durability) }
            // Some transactions write nothing.
            if random.chance(1, in: 6) {
                try pair.perform { (store) throws(StorageError) in try store.commit() }
            }
        }
    }

    private mutating func chainStep() throws {
        let bound: UInt64 = random.chance(1, in: 20) ? 1 << 40 : UInt64(random.below(6))
        let parent = random.chance(1, in: 3) ? Int64(random.below(5)) : nil
        if random.chance(1, in: 2) {
            let chain = NewChain(
                scope: ScopeID(repeating: byte(2)), chain: AuthorID(repeating: byte(5)),
                device: DeviceID(repeating: byte(3)), incarnation: Incarnation(repeating: byte(2)),
                first: bound, head: BatchID(repeating: byte(9)), parent: parent)
            try pair.agree { (store) throws(StorageError) in try store.insertChain(chain) }
        } else {
            let rows = try pair.model.chains()
            guard !rows.isEmpty else { return }
            var row = random.pick(rows)
            row.stored = bound
            row.head = BatchID(repeating: byte(9))
            row.applied = UInt64(random.below(6))
            row.folded = row.applied / 2
            row.forkedAt = random.chance(1, in: 3) ? bound : nil
            row.parent = parent
            try pair.perform { [row] (store) throws(StorageError) in try store.updateChain(row) }
        }
    }

    private mutating func batchStep() throws {
        let chain = Int64(random.chance(1, in: 30) ? 1 << 23 : random.below(4))
        let seq: UInt64 = random.chance(1, in: 30) ? 1 << 40 : UInt64(random.below(9))
        let commit = CommitID(repeating: byte(3))
        let part = UInt32(random.below(4))
        let parts = UInt32(random.below(4))
        switch random.below(8) {
        case 0:
            let target = Int64(random.below(4))
            try pair.perform { (store) throws(StorageError) in
                try store.moveBatches(from: chain, startingAt: seq, to: target)
            }
        case 1, 2:
            try pair.perform { (store) throws(StorageError) in
                try store.setCommit(
                    chain: chain, seq: seq, commit: commit, part: part, parts: parts)
            }
        default:
            let isShort = random.chance(1, in: 40)
            let batch = BatchRow(
                chain: chain, seq: seq, id: BatchID(repeating: byte(250)),
                prev: BatchID(repeating: byte(250)), epoch: EpochID(repeating: byte(3)),
                nonce: random.bytes(isShort ? 23 : 24), ciphertext: random.bytes(random.below(60)),
                signature: random.bytes(64), commit: random.chance(1, in: 2) ? commit : nil,
                part: part, parts: parts)
            try pair.perform { (store) throws(StorageError) in try store.append(batch) }
        }
    }

    private mutating func recordStep() throws {
        let collection = UInt32(random.below(4))
        if random.chance(1, in: 12) {
            let collections = random.pick([nil, [], [collection], [collection, 2]])
            try pair.perform { (store) throws(StorageError) in
                try store.removeAllRecords(collections: collections)
            }
            return
        }
        // A letter in two spellings is two records.
        let name = random.pick(["a", "b", "ba", "zebra", "Z", "é", "e\u{301}", "日", "10", "9"])
        let id = try #require(RecordID(name))
        var payload = CBORWriter()
        payload.unsigned(random.next())
        var state =
            try pair.model.record(collection: collection, id: id)
            ?? RecordState(collection: collection, record: id)
        _ = state.apply(
            Operation(
                collection: collection, record: id, generation: state.writeGeneration,
                field: UInt32(random.below(3)), kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: payload.bytes),
            stamp: Timestamp(wallMilliseconds: Int64(random.below(1_000))),
            at: Position(chain: AuthorID(repeating: 4), seq: 1, index: 0))
        if random.chance(1, in: 3), let generation = state.deleteGeneration {
            _ = state.apply(
                Operation.record(
                    .recordDelete, collection: collection, record: id, generation: generation,
                    stampDelta: 0),
                stamp: .zero, at: Position(chain: AuthorID(repeating: 4), seq: 2, index: 0))
        }
        try pair.perform { [state] (store) throws(StorageError) in try store.putRecord(state) }
        try entryStep(collection, id)
    }

    /// Finds a record by other values; or a whole collection by nothing.
    private mutating func entryStep(_ collection: UInt32, _ id: RecordID) throws {
        if random.chance(1, in: 15) {
            return try pair.perform { (store) throws(StorageError) in
                try store.removeEntries(collection: collection)
            }
        }
        let entries = (0..<random.below(4)).map { _ in
            let kind: FieldIndex = random.chance(1, in: 2) ? .clear : .blind
            return IndexEntry(field: kind == .clear ? 1 : 2, kind: kind, key: [byte(4), byte(2)])
        }
        try pair.perform { (store) throws(StorageError) in
            // Rows have other numbers in the two stores.
            guard let row = try store.storedRecord(collection: collection, id: id)?.row
            else { return }
            try store.putEntries(
                OrderedSet(entries).elements, collection: collection, row: row)
        }
    }

    private mutating func pendingStep() throws {
        let id = BatchID(repeating: byte(12))
        if random.chance(1, in: 3) {
            try pair.perform { (store) throws(StorageError) in try store.removePending(id) }
            return
        }
        let row = PendingRow(
            id: id, scope: ScopeID(repeating: byte(2)), device: DeviceID(repeating: byte(2)),
            incarnation: Incarnation(repeating: byte(2)),
            seq: random.chance(1, in: 20) ? 1 << 40 : UInt64(random.below(3)),
            header: random.bytes(random.below(9)), ciphertext: random.bytes(random.below(60)),
            signature: random.bytes(64))
        try pair.perform { (store) throws(StorageError) in try store.insertPending(row) }
    }

    private mutating func listStep() throws {
        let bytes = random.bytes(random.below(20))
        let id = Bytes32(repeating: byte(6))
        switch random.below(6) {
        case 0:
            let key = random.pick(MetaKey.allCases)
            let value = random.chance(1, in: 4) ? nil : bytes
            try pair.perform { (store) throws(StorageError) in try store.setValue(key, value) }
        case 1:
            try pair.perform { (store) throws(StorageError) in
                try store.appendMemberRecord(id: id, bytes: bytes)
            }
        case 2:
            let peer = PeerRow(
                device: id, incarnation: Incarnation(repeating: byte(2)), acknowledged: bytes,
                lastHeardWallMilliseconds: Int64(random.below(9)) - 4, addresses: ["192.0.2.1:1"])
            try pair.perform { (store) throws(StorageError) in try store.putPeer(peer) }
        case 3:
            let intent = [byte(8)]
            try pair.perform { (store) throws(StorageError) in
                try store.recordOutcome(intent: intent, bytes)
            }
            let key = [byte(3), byte(3)]
            let isKept = random.chance(2, in: 3)
            try pair.perform { (store) throws(StorageError) in
                if isKept { try store.putLane(LaneRow(key: key, value: bytes)) }
                if !isKept { try store.removeLane(key) }
            }
        case 4:
            let row = QuarantineRow(
                batch: id, index: random.chance(1, in: 3) ? nil : UInt32(random.below(3)),
                reason: UInt32(random.below(3)))
            try pair.perform { (store) throws(StorageError) in try store.quarantine(row) }
        default:
            let fork = ForkRow(
                scope: ScopeID(repeating: 1), chain: AuthorID(repeating: byte(4)),
                seq: random.chance(1, in: 9) ? 1 << 40 : 7, proof: bytes)
            try pair.perform { (store) throws(StorageError) in try store.addFork(fork) }
        }
    }

    private mutating func byte(_ bound: Int) -> UInt8 { UInt8(random.below(bound)) }
}
