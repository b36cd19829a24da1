import Foundation
import LinnetCRDT
import LinnetStorage
import Testing

/// Stores that are opened to be read: what opening writes stays in memory.
@Suite struct ReadingFilesTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
        try #require(ReadingFiles.register())
        let store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
    }

    private func files() throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: home.folder.path) {
            found[name] = try Data(contentsOf: home.folder.appending(path: name))
        }
        return found
    }

    @Test func `what is written while reading shows there, and never on the disk`() throws {
        let before = try files()
        var store = try home.open(vfs: ReadingFiles.name)
        for number in 0..<2_000 {
            try store.begin()
            try store.putRecord(.sample("r\(number)"))
            try store.commit()
        }
        #expect(try store.recordIDs(collection: 7).count == 2_001)
        try store.close()
        #expect(try files() == before)
        store = try home.open(vfs: ReadingFiles.name)
        #expect(try store.recordIDs(collection: 7).map(\.description) == ["a"])
        try store.close()
    }

    @Test func `the log that a crash left is read and stays as it is`() throws {
        var crashed: SQLiteStore? = try home.open()
        for number in 0..<50 {
            try crashed?.begin()
            try crashed?.putRecord(.sample("r\(number)"))
            try crashed?.commit()
        }
        crashed = nil
        let before = try files()
        #expect((before["store.sqlite-wal"]?.count ?? 0) > 0)
        let store = try home.open(vfs: ReadingFiles.name)
        #expect(try store.recordIDs(collection: 7).count == 51)
        try store.close()
        #expect(try files() == before)
    }

    @Test func `a file that is not there is not made`() throws {
        try FileManager.default.removeItem(atPath: home.path)
        guard case .cannotOpen? = home.refusal(vfs: ReadingFiles.name) else {
            Issue.record("a store without a file was opened")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: home.path))
    }

    @Test func `a store that is being written is not read beside it`() throws {
        let writer = try home.open()
        #expect(home.refusal(vfs: ReadingFiles.name) == .busy)
        try writer.close()
    }
}
