import LinnetSimulator
import LinnetStorage
import Testing

@Suite(.serialized)
struct DiskFaultTests {
    /// The error a body ends with, nil when it does not.
    private static func failure(_ body: () throws(StorageError) -> Void) -> StorageError? {
        do throws(StorageError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func isIO(_ error: StorageError?) -> Bool {
        if case .io = error { true } else { false }
    }

    @Test func `a sync that fails is told, and what was promised before stays`() throws {
        for seed in 0..<40 as Range<UInt64> {
            let home = DiskHome("sync", seed: seed)
            let store = try home.open()
            for _ in 0..<5 { try home.transact(store) }
            home.disk.failSync()
            #expect(Self.isIO(Self.failure { () throws(StorageError) in try home.transact(store) }))
            #expect(home.disk.counters.failedSyncs == 1)
            #expect(Self.isIO(Self.failure { () throws(StorageError) in try home.transact(store) }))
            home.disk.powerOff()
            home.disk.powerOn()
            let last = try home.lastIntact(home.open())
            #expect(last == 5 || last == 6)
        }
    }

    /// What is found after a failed sync, a new opening, two commits and a power failure.
    private static func resumed(_ seed: UInt64, forgets: Bool) throws -> (found: UInt64, of: UInt64)
    {
        let home = DiskHome("resume", seed: seed)
        home.disk.forgetsFailedSyncs = forgets
        var store = try home.open()
        for _ in 0..<3 { try home.transact(store) }
        home.disk.failSync()
        #expect(isIO(failure { () throws(StorageError) in try home.transact(store) }))
        home.disk.killProcess()
        home.disk.powerOn()
        store = try home.open()
        home.resume(at: try home.lastIntact(store))
        for _ in 0..<2 { try home.transact(store) }
        let promised = home.promised
        home.disk.powerOff()
        home.disk.powerOn()
        return (try home.lastIntact(home.open()), promised)
    }

    @Test func `what is committed after a failed sync and a new opening stays`() throws {
        for seed in 0..<40 as Range<UInt64> {
            let (found, promised) = try Self.resumed(seed, forgets: false)
            #expect(found == promised, "seed \(seed)")
        }
    }

    // The opening moves the log into the file from what the system keeps in memory, and syncs that.
    @Test func `a system that forgets a failed sync loses nothing of what follows an opening`()
        throws
    {
        for seed in 0..<40 as Range<UInt64> {
            let (found, promised) = try Self.resumed(seed, forgets: true)
            #expect(found == promised, "seed \(seed)")
        }
    }

    @Test func `a write that fails at any place takes back one transaction at most`() throws {
        for count in 1...40 {
            let home = DiskHome("write", seed: UInt64(count))
            let store = try home.open()
            for _ in 0..<5 { try home.transact(store) }
            home.disk.failWrite(count)
            var failed: StorageError?
            for _ in 0..<20 where failed == nil {
                failed = Self.failure { () throws(StorageError) in
                    try home.transact(store, bytes: 9_000)
                }
            }
            #expect(Self.isIO(failed))
            #expect(home.disk.counters.failedWrites == 1)
            let promised = home.promised
            home.disk.powerOff()
            home.disk.powerOn()
            let last = try home.lastIntact(home.open())
            #expect(last == promised || last == promised + 1)
        }
    }

    @Test func `a read that fails is never called damage, and nothing is lost`() throws {
        let home = DiskHome("read", seed: 1)
        // Rows longer than a page: the pages that they go on in are looked at one by one.
        try home.transact(home.open(), bytes: 50_000)
        home.disk.killProcess()
        home.disk.powerOn()
        for count in 1...120 {
            home.disk.failRead(count)
            let failed = Self.failure { () throws(StorageError) in
                let store = try home.open()
                _ = try store.value(.replica)
            }
            #expect(failed == nil || Self.isIO(failed), "read \(count)")
            home.disk.killProcess()
            home.disk.powerOn()
        }
        #expect(home.disk.counters.failedReads > 5)
        #expect(try home.lastIntact(home.open()) == 1)
    }

    @Test func `a full disk is told, and once there is room the store goes on`() throws {
        for room in [0, 1, 4_096, 100_000] {
            let home = DiskHome("full", seed: UInt64(room))
            let store = try home.open()
            for _ in 0..<3 { try home.transact(store) }
            home.disk.fill(after: room)
            var failed: StorageError?
            for _ in 0..<40 where failed == nil {
                failed = Self.failure { () throws(StorageError) in
                    try home.transact(store, bytes: 20_000)
                }
            }
            #expect(failed == .diskFull)
            #expect(home.disk.counters.refusedWrites > 0)
            let promised = home.promised
            #expect(try store.value(.replica)?.first == UInt8(promised))
            home.disk.empty()
            home.resume(at: promised)
            try home.transact(store)
            home.disk.powerOff()
            home.disk.powerOn()
            #expect(try home.lastIntact(home.open()) == promised + 1)
        }
    }

    @Test func `while the power is off, and for who was there before, each call fails`() throws {
        let home = DiskHome("down", seed: 1)
        let store = try home.open()
        try home.transact(store)
        home.disk.powerOff()
        #expect(home.disk.isDown)
        #expect(Self.failure { () throws(StorageError) in _ = try home.open() } != nil)
        #expect(Self.isIO(Self.failure { () throws(StorageError) in try home.transact(store) }))
        home.disk.powerOn()
        let next = try home.open()
        let before = home.disk.image()
        #expect(Self.isIO(Self.failure { () throws(StorageError) in try store.close() }))
        #expect(home.disk.image() == before)
        #expect(try home.lastIntact(next) == 1)
    }

    @Test func `faults that were cleared do not happen`() throws {
        let home = DiskHome("clear", seed: 1)
        let store = try home.open()
        home.disk.crash(atCall: 2)
        home.disk.failSync()
        home.disk.failWrite()
        home.disk.failRead()
        home.disk.fill()
        home.disk.clearFaults()
        try home.transact(store, bytes: 30_000)
        try home.close(store)
        #expect(home.disk.counters.failedSyncs + home.disk.counters.failedWrites == 0)
        #expect(home.disk.counters.powerFailures + home.disk.counters.refusedWrites == 0)
    }
}
