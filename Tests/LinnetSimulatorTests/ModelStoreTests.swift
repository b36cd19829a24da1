import LinnetCRDT
import LinnetSimulator
import LinnetStorage
import LinnetWire
import Testing

struct ModelStoreTests {
    @Test(arguments: UInt64(1)...20)
    func `it answers every call as the database does`(seed: UInt64) throws {
        var walk = try StoreWalk(seed: seed)
        for number in 0..<400 {
            try walk.step()
            if number.isMultiple(of: 20) { try walk.readEverything() }
        }
        try walk.readEverything()
    }

    @Test func `the random calls meet every refusal and fill every table`() throws {
        var walk = try StoreWalk(seed: 21)
        for number in 1...1_500 {
            try walk.step()
            if number.isMultiple(of: 50) { try walk.readEverything() }
        }
        let met = walk.pair.refusals
        #expect(met.contains(.duplicate) && met.contains(.outOfRange))
        #expect(met.contains(.corrupt(where: "batches")))
        // SQLite's code for a row that names a missing one.
        #expect(met.contains(.io(code: 787)))
        let store = walk.pair.model
        #expect(try store.chains().count > 3 && store.batchTotals(chain: nil).count > 9)
        #expect(try store.memberRecords().count > 3 && store.peers().count > 3)
        #expect(try store.quarantineCount() > 3 && store.forks().count > 3)
        #expect(try (0..<3).contains { try store.partCount(ofCommit: .init(repeating: $0)) > 1 })
        #expect(store.pendingTotals.count > 3)
    }

    /// A store with one full commit, and one relaxed commit after it.
    private func relaxed() throws -> ModelStore {
        let store = ModelStore()
        try store.begin()
        try store.setValue(.clock, [1])
        try store.commit()
        try store.begin(.relaxed)
        try store.setValue(.clock, [2])
        try store.appendMemberRecord(id: MemberRecordID(repeating: 1), bytes: [1])
        try store.commit()
        return store
    }

    @Test func `a power cut takes relaxed commits or leaves them`() throws {
        let kept = try relaxed()
        kept.crash(losingRelaxed: false)
        #expect(try kept.value(.clock) == [2])
        kept.crash(losingRelaxed: true)
        #expect(try kept.value(.clock) == [2])
        let lost = try relaxed()
        lost.crash(losingRelaxed: true)
        #expect(try lost.value(.clock) == [1])
        #expect(try lost.memberRecords().isEmpty)
        #expect(lost.isUnflushed == true)
    }

    @Test func `a power cut ends the open transaction`() throws {
        for losing in [false, true] {
            let store = ModelStore()
            try store.begin()
            try store.setValue(.clock, [1])
            store.crash(losingRelaxed: losing)
            #expect(store.isInTransaction == false)
            #expect(try store.value(.clock) == nil)
        }
    }

    @Test func `a later full commit, a flush and closing make relaxed commits durable`() throws {
        let steps: [(ModelStore) throws -> Void] = [
            { store in
                try store.begin()
                try store.setValue(.schema, [3])
                try store.commit()
            },
            { try $0.flush() },
            { try $0.close() },
        ]
        for step in steps {
            let store = try relaxed()
            try step(store)
            store.crash(losingRelaxed: true)
            #expect(try store.value(.clock) == [2])
        }
    }

    @Test func `a full commit that wrote nothing does not, the next opening does`() throws {
        let store = try relaxed()
        try store.begin()
        try store.commit()
        #expect(store.isUnflushed == true)
        store.reopen()
        #expect(store.isUnflushed == true)
        store.crash(losingRelaxed: true)
        #expect(try store.value(.clock) == [2])
        let lost = try relaxed()
        try lost.begin()
        try lost.commit()
        lost.crash(losingRelaxed: true)
        #expect(try lost.value(.clock) == [1])
    }

    @Test func `a flush after a kill makes what the dead process wrote durable`() throws {
        let store = try relaxed()
        store.reopen()
        try store.flush()
        store.crash(losingRelaxed: true)
        #expect(try store.value(.clock) == [2])
    }

    @Test func `a copy and its original go their own ways`() throws {
        let store = try relaxed()
        try store.begin()
        try store.putRecord(RecordState(collection: 1, record: #require(RecordID("a"))))
        _ = try store.insertChain(
            NewChain(
                scope: .zero, chain: .zero, device: .zero, incarnation: .zero))
        try store.commit()
        let copy = store.copy()
        try copy.begin()
        try copy.removeAllRecords()
        try copy.setValue(.clock, [9])
        try copy.commit()
        #expect(try store.value(.clock) == [2])
        #expect(try store.chains() == copy.chains())
        #expect(try store.record(collection: 1, id: #require(RecordID("a"))) != nil)
        #expect(try copy.record(collection: 1, id: #require(RecordID("a"))) == nil)
        try store.begin()
        try store.setValue(.clock, [8])
        store.rollback()
        copy.crash(losingRelaxed: true)
        #expect(try copy.value(.clock) == [9])
        #expect(try store.value(.clock) == [2])
    }

    @Test func `records may be read while records are read`() throws {
        let store = ModelStore()
        try store.begin()
        for name in ["b", "a"] {
            try store.putRecord(RecordState(collection: 1, record: #require(RecordID(name))))
        }
        var seen: [String] = []
        try store.forEachRecord { (outer) throws(StorageError) in
            try store.forEachRecord { (inner) throws(StorageError) in
                seen.append("\(outer.record)\(inner.record)")
            }
        }
        #expect(seen == ["aa", "ab", "ba", "bb"])
    }

    @Test func `a write outside a transaction stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try ModelStore().setValue(.clock, [1])
        }
    }

    @Test func `a closed store stops the program that goes on with it`() async {
        await #expect(processExitsWith: .failure) {
            let store = ModelStore()
            try store.close()
            try store.begin()
        }
    }
}
