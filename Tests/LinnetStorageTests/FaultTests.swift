import CSQLite
import LinnetCRDT
import LinnetStorage
import Testing

/// What a failing disk does to transactions. Composed result codes are not imported into Swift.
struct FaultTests {
    private static let failedWrite = SQLITE_IOERR | 3 << 8
    private static let failedSync = SQLITE_IOERR | 4 << 8

    let home: TemporaryHome
    let files: FaultyFiles

    init() throws {
        home = try TemporaryHome()
        files = try FaultyFiles(name: home.path)
        let store = try home.open(vfs: files.name)
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
    }

    private func closing(_ store: consuming SQLiteStore) -> StorageError? {
        do throws(StorageError) {
            try store.close()
            return nil
        } catch {
            return error
        }
    }

    private func names(_ store: SQLiteStore) throws -> [String] {
        try store.recordIDs(collection: 7).map(\.description)
    }

    @Test func `a full disk takes one transaction back, not the next`() throws {
        var store = try home.open(vfs: files.name)
        try store.begin()
        try store.putRecord(.sample("b"))
        files.fail(.write, with: SQLITE_FULL)
        #expect(failure { () throws(StorageError) in try store.commit() } == .diskFull)
        #expect(store.isInTransaction == false)
        #expect(try names(store) == ["a"])
        files.heal()
        try store.begin()
        try store.putRecord(.sample("c"))
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try names(store) == ["a", "c"])
        try store.close()
    }

    @Test func `after a failed sync nothing is written until the file is opened again`() throws {
        var store = try home.open(vfs: files.name)
        try store.begin()
        try store.putRecord(.sample("b"))
        files.fail(.sync, with: Self.failedSync)
        let failed = StorageError.io(code: Self.failedSync)
        #expect(failure { () throws(StorageError) in try store.commit() } == failed)
        files.heal()
        #expect(failure { () throws(StorageError) in try store.begin() } == failed)
        #expect(closing(store) == failed)
        // Whether the transaction reached the disk is known only now; half of it never is.
        store = try home.open()
        #expect(try [["a"], ["a", "b"]].contains(names(store)))
        try store.begin()
        try store.putRecord(.sample("c"))
        try store.commit()
        #expect(try names(store).last == "c")
        try store.close()
    }

    @Test(arguments: 1...12)
    func `a write that fails leaves all of a transaction or nothing`(_ count: Int) throws {
        var store = try home.open(vfs: files.name)
        files.fail(.write, count, with: Self.failedWrite)
        let failed = failure { () throws(StorageError) in
            try store.begin()
            for name in ["b", "c", "d"] {
                guard let state = try? RecordState.sample(name) else { continue }
                try store.putRecord(state)
            }
            try store.commit()
        }
        if store.isInTransaction { store.rollback() }
        #expect(try names(store) == (failed == nil ? ["a", "b", "c", "d"] : ["a"]))
        _ = closing(store)
        files.heal()
        store = try home.open()
        #expect(try [["a"], ["a", "b", "c", "d"]].contains(names(store)))
        if failed == nil { #expect(try names(store).count == 4) }
        try store.close()
    }

    @Test func `a full commit syncs, a relaxed one does not, and flush makes up for it`() throws {
        let store = try home.open(vfs: files.name)
        try store.begin()
        try store.putRecord(.sample("b"))
        try store.commit()
        let afterFull = files.syncs
        for name in ["c", "d", "e"] {
            try store.begin(.relaxed)
            try store.putRecord(.sample(name))
            try store.commit()
        }
        #expect(files.syncs == afterFull)
        try store.flush()
        #expect(files.syncs == afterFull + 1)
        try store.flush()
        #expect(files.syncs == afterFull + 1)
        try store.begin()
        try store.putRecord(.sample("f"))
        try store.commit()
        #expect(files.syncs == afterFull + 2)
        try store.close()
    }

    @Test func `a flush that fails is told, and what it covered is in doubt`() throws {
        let store = try home.open(vfs: files.name)
        try store.begin(.relaxed)
        try store.putRecord(.sample("b"))
        try store.commit()
        files.fail(.sync, with: Self.failedSync)
        let failed = StorageError.io(code: Self.failedSync)
        #expect(failure { () throws(StorageError) in try store.flush() } == failed)
        #expect(store.isUnflushed == true)
        #expect(failure { () throws(StorageError) in try store.begin() } == failed)
    }

    @Test(arguments: 1...30)
    func `a database whose making fails anywhere is made at the next opening`(_ count: Int) throws {
        let fresh = try TemporaryHome()
        let files = try FaultyFiles(name: fresh.path)
        files.fail(.write, count, with: Self.failedWrite)
        let refusal = fresh.refusal(vfs: files.name)
        files.heal()
        if let refusal { #expect(refusal == .io(code: Self.failedWrite)) }
        #expect(fresh.refusal() == nil)
        #expect(fresh.refusal() == nil)
    }
}
