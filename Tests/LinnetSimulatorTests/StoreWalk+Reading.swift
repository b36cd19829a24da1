import LinnetCRDT
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

extension StoreWalk {
    /// Asks both stores everything that can be asked.
    mutating func readEverything() throws {
        try readLists()
        try readBatches()
        try readPending()
        try readRecords()
        try readEntries()
    }

    private mutating func readEntries() throws {
        for collection in UInt32(0)...3 {
            var searches = (0..<UInt8(4)).map { key in
                IndexSearch(
                    collection: collection, field: 2, kind: .blind, lower: [key, 1],
                    upper: [key, 1])
            }
            let bounds: [([UInt8], [UInt8])] = [([0], [9]), ([1], [2, 0]), ([1, 1], [1, 1])]
            for (lower, upper) in bounds {
                for isDescending in [false, true] {
                    searches.append(
                        IndexSearch(
                            collection: collection, field: 1, kind: .clear, lower: lower,
                            upper: upper, isDescending: isDescending))
                }
            }
            let most = random.below(6)
            for search in searches {
                // Of those with one key, each store may begin with another.
                try pair.agree { (store) throws(StorageError) in
                    var keys: [[UInt8]?] = []
                    try store.forEachFound(by: search) { (key, _) throws(StorageError) in
                        keys.append(key)
                        return keys.count < most
                    }
                    return keys
                }
                try pair.agree { (store) throws(StorageError) in
                    var found: [String] = []
                    try store.forEachFound(by: search) { (key, state) throws(StorageError) in
                        found.append("\(key ?? []) \(state.record)")
                        return true
                    }
                    return found.sorted()
                }
            }
        }
    }

    private func readLists() throws {
        for key in MetaKey.allCases {
            try pair.agree { (store) throws(StorageError) in try store.value(key) }
        }
        try pair.agree { (store) throws(StorageError) in try store.chains() }
        try pair.agree { (store) throws(StorageError) in try store.memberRecords() }
        try pair.agree { (store) throws(StorageError) in try store.peers() }
        try pair.agree { (store) throws(StorageError) in try store.forks() }
        try pair.agree { (store) throws(StorageError) in try store.quarantineCount() }
        for limit in [-1, 0, 2, 100] {
            try pair.agree { (store) throws(StorageError) in try store.quarantined(limit: limit) }
        }
        for family in 0..<UInt8(3) {
            try pair.agree { (store) throws(StorageError) in try store.lanes(family: family) }
            try pair.agree { (store) throws(StorageError) in try store.lane([family, 1]) }
        }
        for intent in 0..<UInt8(8) {
            try pair.agree { (store) throws(StorageError) in
                try store.firstOutcome(intent: [intent])
            }
        }
    }

    private mutating func readBatches() throws {
        try pair.agree { (store) throws(StorageError) in try store.batchTotals(chain: nil) }
        for chain in Int64(1)...5 {
            try pair.agree { (store) throws(StorageError) in try store.batchTotals(chain: chain) }
        }
        for chain in Int64(-1)...5 {
            for seq in UInt64(0)...9 {
                try pair.agree { (store) throws(StorageError) in
                    try store.batch(chain: chain, seq: seq)
                }
                try pair.agree { (store) throws(StorageError) in
                    try store.batchID(chain: chain, seq: seq)
                }
            }
            for from in [0, 3, UInt64.max] {
                let bytes = random.below(200)
                try pair.agree { (store) throws(StorageError) in
                    try store.batches(chain: chain, from: from, maxBytes: bytes)
                }
            }
        }
        for number in 0..<UInt8(3) {
            let commit = CommitID(repeating: number)
            try pair.agree { (store) throws(StorageError) in try store.parts(ofCommit: commit) }
            try pair.agree { (store) throws(StorageError) in try store.partCount(ofCommit: commit) }
        }
    }

    private mutating func readPending() throws {
        try pair.agree { (store) throws(StorageError) in try store.pendingChains() }
        for number in 0..<UInt8(12) {
            let id = BatchID(repeating: number)
            try pair.agree { (store) throws(StorageError) in try store.isPending(id) }
        }
        for number in 0..<UInt8(8) {
            let scope = ScopeID(repeating: number & 1)
            let device = DeviceID(repeating: number >> 1 & 1)
            let incarnation = Incarnation(repeating: number >> 2)
            try pair.agree { (store) throws(StorageError) in
                try store.pendingTotals(scope: scope, device: device, incarnation: incarnation)
            }
            for from in [0, 1, UInt64.max] {
                let bytes = random.below(400)
                try pair.agree { (store) throws(StorageError) in
                    try store.pending(
                        scope: scope, device: device, incarnation: incarnation, from: from,
                        maxBytes: bytes)
                }
            }
        }
    }

    private func readRecords() throws {
        try pair.agree { (store) throws(StorageError) in
            try store.recordNames(atMost: 1_000_000)?.map { "\($0.collection)/\($0.id)" }
        }
        for collection in [nil, 0, 1, 2, 3, UInt32.max] {
            let answer = try pair.agree { (store) throws(StorageError) in
                var states: [RecordState] = []
                try store.forEachRecord(collection: collection) { states.append($0) }
                return states
            }
            if let collection {
                try pair.agree { (store) throws(StorageError) in
                    try store.liveRowCount(collection: collection)
                }
                for after in [nil, RecordID("b"), RecordID("zebra")] {
                    try pair.agree { (store) throws(StorageError) in
                        var found: [RecordState] = []
                        try store.forEachRow(collection: collection, after: after) {
                            found.append($0.state)
                            return found.count < 3
                        }
                        return found
                    }
                }
            }
            guard case .success(let states) = answer else { continue }
            for state in states {
                try pair.agree { (store) throws(StorageError) in
                    try store.record(collection: state.collection, id: state.record)
                }
            }
        }
    }
}
