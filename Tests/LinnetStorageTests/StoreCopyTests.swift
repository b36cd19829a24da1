import Foundation
import LinnetCrypto
import LinnetStorage
import Testing

struct StoreCopyTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private var target: String { home.folder.appending(path: "copy").path }

    private func openCopy(key: UInt8 = 1) throws -> SQLiteStore {
        try SQLiteStore(
            path: target, databaseKey: SecretBytes(copying: Array(repeating: key, count: 32)),
            noncePrefix: Array(repeating: 99, count: 16))
    }

    private func fill(_ store: SQLiteStore, _ value: UInt8) throws {
        try store.begin(.relaxed)
        for key in MetaKey.allCases {
            try store.setValue(key, Array(repeating: value, count: 50_000))
        }
        try store.commit()
    }

    @Test func `a copy is whole, sealed under the same key, and holds what was written meanwhile`()
        throws
    {
        let store = try home.open()
        try fill(store, 1)
        var copy: StoreCopy? = try StoreCopy(of: store, to: target)
        let first = try #require(try copy?.step(pages: 4))
        #expect(first.pagesDone == 4 && first.pages > 100)
        try fill(store, 2)
        var last = first
        while let next = try copy?.step(pages: 16) { last = next }
        copy = nil
        #expect(last.pagesDone <= last.pages)
        try store.close()
        let other = try openCopy()
        for key in MetaKey.allCases {
            #expect(try other.value(key) == Array(repeating: 2, count: 50_000))
        }
        try other.close()
        #expect(throws: StorageError.wrongKey) { try openCopy(key: 2) }
    }

    @Test func `a copy that is given up leaves the store as it was`() throws {
        let store = try home.open()
        try fill(store, 1)
        var copy: StoreCopy? = try StoreCopy(of: store, to: target)
        _ = try copy?.step(pages: 1)
        copy = nil
        try fill(store, 3)
        #expect(try store.value(.clock)?.first == 3)
        try store.close()
        #expect(home.refusal() == nil)
    }

    @Test func `a place that cannot be written is refused`() throws {
        let store = try home.open()
        #expect(throws: StorageError.self) {
            try StoreCopy(of: store, to: home.folder.appending(path: "none/copy").path)
        }
        try store.close()
    }
}
