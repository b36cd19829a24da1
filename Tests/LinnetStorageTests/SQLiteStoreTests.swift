import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

struct SQLiteStoreTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test func `a new database says that it is new, and once only`() throws {
        let store = try home.open()
        #expect(store.isNew == true)
        try store.close()
        let again = try home.open()
        #expect(again.isNew == false)
        try again.close()
    }

    @Test func `what was committed is there after closing and opening`() throws {
        var store = try home.open()
        try store.begin()
        try store.setValue(.group, [1, 2, 3])
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.value(.group) == [1, 2, 3])
        #expect(try store.record(collection: 7, id: #require(RecordID("a"))) == .sample("a"))
        try store.close()
    }

    @Test func `a rollback leaves nothing`() throws {
        let store = try home.open()
        try store.begin()
        let chain = try store.insertChain(.sample(1))
        try store.append(.sample(chain.index, 1))
        try store.putRecord(.sample("a"))
        try store.setValue(.clock, [1])
        try store.insertPending(.sample(1))
        try store.appendMemberRecord(id: MemberRecordID(repeating: 1), bytes: [1])
        try store.recordOutcome(intent: [1], [2])
        store.rollback()
        #expect(store.isInTransaction == false)
        #expect(try store.chains().isEmpty)
        #expect(try store.batchTotals(chain: nil) == Totals(count: 0, bytes: 0))
        #expect(try store.recordIDs(collection: 7).isEmpty)
        #expect(try store.value(.clock) == nil)
        #expect(store.pendingTotals == Totals(count: 0, bytes: 0))
        #expect(try store.memberRecords().isEmpty)
        #expect(try store.firstOutcome(intent: [1]) == nil)
        try store.begin()
        try store.setValue(.clock, [2])
        try store.commit()
        #expect(try store.value(.clock) == [2])
        try store.close()
    }

    @Test func `a transaction that was not committed is gone after reopening`() throws {
        do {
            let store = try home.open()
            try store.begin()
            try store.setValue(.clock, [1])
            try store.commit()
            try store.begin()
            try store.setValue(.clock, [2])
            // The store ends here, in the middle.
        }
        let store = try home.open()
        #expect(try store.value(.clock) == [1])
        try store.close()
    }

    @Test(arguments: [Durability.full, .relaxed])
    func `what was committed survives the end of the process`(_ durability: Durability) throws {
        let store = try home.open()
        try store.begin(durability)
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.begin(durability)
        try store.putRecord(.sample("b"))
        // A copy of the files as they lie is what a killed process leaves.
        let copy = try TemporaryHome()
        try copy.copyFiles(of: home)
        store.rollback()
        try store.close()
        let found = try copy.open()
        #expect(try found.recordIDs(collection: 7).map(\.description) == ["a"])
        try found.close()
    }

    @Test func `closing moves the log into the file`() throws {
        let store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        #expect(try home.fileNames() == ["store.sqlite", "store.sqlite-wal"])
        try store.close()
        #expect(try home.fileNames() == ["store.sqlite"])
    }

    @Test func `a second opening of an open database is refused as busy`() throws {
        let store = try home.open()
        #expect(home.refusal() == .busy)
        #expect(try store.value(.clock) == nil)
        try store.close()
        #expect(home.refusal() == nil)
    }

    @Test func `closing lets go of the file even while the store is still held`() throws {
        let store = try home.open()
        let held: any Store = store
        try store.close()
        #expect(home.refusal() == nil)
        #expect(held.isInTransaction == false)
    }

    @Test func `the last reference lets go of the file`() throws {
        var store: (any Store)? = try home.open()
        #expect(store != nil && home.refusal() == .busy)
        store = nil
        #expect(home.refusal() == nil)
    }

    @Test func `another program cannot write while the database is open`() throws {
        let store = try home.open()
        let complaint = try home.stranger().complaint("DELETE FROM records")
        #expect(complaint == "database is locked")
        try store.close()
    }

    @Test func `the named file system is used, and one that does not exist is refused`() throws {
        try home.open(vfs: "unix").close()
        let refusal = home.refusal(vfs: "no such system")
        #expect(refusal == .io(code: 1) || refusal == .corrupt(where: "file"))
    }

    @Test func `flush has something to do only after a relaxed commit`() throws {
        let store = try home.open()
        try store.flush()
        try store.begin(.relaxed)
        try store.putRecord(.sample("a"))
        try store.commit()
        #expect(store.isUnflushed == true)
        try store.flush()
        #expect(store.isUnflushed == false)
        try store.begin(.relaxed)
        try store.putRecord(.sample("b"))
        try store.commit()
        try store.begin(.full)
        try store.putRecord(.sample("c"))
        try store.commit()
        #expect(store.isUnflushed == false)
        try store.close()
    }

    @Test func `a full commit that wrote nothing makes nothing durable`() throws {
        let store = try home.open()
        try store.begin(.relaxed)
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.begin(.full)
        try store.commit()
        #expect(store.isUnflushed == true)
        try store.close()
    }

    @Test func `the database shows neither values nor keys nor intents`() throws {
        let canary = "canary-0123456789"
        let store = try home.open(key: 0xa7)
        try store.begin()
        try store.putRecord(.sample("a", text: canary))
        try store.setValue(.replica, Array(canary.utf8))
        try store.recordOutcome(intent: Array(canary.utf8), Array(canary.utf8))
        try store.putPeer(
            PeerRow(
                device: DeviceID(repeating: 1), incarnation: Incarnation(repeating: 1),
                acknowledged: [], lastHeardWallMilliseconds: 0, addresses: [canary]))
        try store.commit()
        let open = try home.bytes()
        try store.close()
        for bytes in [open, try home.bytes()] {
            #expect(!bytes.contains(Array(canary.utf8)))
            #expect(!bytes.contains(Array(repeating: 0xa7, count: 8)))
        }
        #expect(open.contains(Array("records".utf8)), "the search itself finds what is there")
    }

    @Test func `a transaction inside a transaction is our own mistake`() async {
        await #expect(processExitsWith: .failure) {
            let store = try TemporaryHome().open()
            try store.begin()
            try store.begin()
        }
    }

    @Test func `a write outside a transaction is our own mistake`() async {
        await #expect(processExitsWith: .failure) {
            let store = try TemporaryHome().open()
            try store.setValue(.clock, [1])
        }
    }
}
