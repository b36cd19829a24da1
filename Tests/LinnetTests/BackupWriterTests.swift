import Glibc
import Testing

@testable import Linnet

struct BackupWriterTests {
    let directory = TemporaryDirectory()

    private var path: String { "\(directory.path)/file" }

    private func names() throws -> [String] {
        try OpenFile.directory(at: directory.path).names()
    }

    private func write(_ text: String, replaces: Bool = false) throws {
        let writer = try BackupWriter(path: path, replaces: replaces)
        try writer.append(Array(text.utf8))
        try writer.finish()
    }

    @Test func `a backup gets its name at the end, with mode 0600 and nothing beside it`() throws {
        let writer = try BackupWriter(path: path, replaces: false)
        directory.write(".file.pages", "pages")
        try writer.append([1, 2, 3])
        #expect(try writer.databaseBytes() == 5)
        #expect(try writer.appendDatabase(from: 0) == 5)
        #expect(try !names().contains("file"))
        try writer.finish()
        withExtendedLifetime(writer) {}
        #expect(Array(directory.read("file").prefix(8)) == [1, 2, 3] + Array("pages".utf8))
        #expect(directory.read("file").count == 8 + BackupFile.checkBytes)
        var status = stat()
        unsafe stat(path, &status)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test func `a writer that is given up leaves nothing`() throws {
        var writer: BackupWriter? = try BackupWriter(path: path, replaces: false)
        try writer?.append([1])
        withExtendedLifetime(writer) {}
        writer = nil
        #expect(try names().isEmpty)
    }

    @Test func `an existing file is kept unless it is to be replaced`() throws {
        directory.write("file", "old")
        #expect(throws: HomeError.fileExists(path: path)) { try write("new") }
        #expect(directory.read("file") == Array("old".utf8))
        try write("new", replaces: true)
        #expect(directory.read("file").starts(with: Array("new".utf8)))
        unsafe unlink(path)
        let late = try BackupWriter(path: path, replaces: false)
        directory.write("file", "meanwhile")
        #expect(throws: HomeError.fileExists(path: path)) { try late.finish() }
        #expect(directory.read("file") == Array("meanwhile".utf8))
    }

    @Test func `what a crash left is used up, what another writes is not touched`() throws {
        directory.write(".file.partial", String(repeating: "x", count: 999), mode: 0o644)
        directory.write(".file.pages", "half")
        directory.write(".file.pages-wal", "half")
        try write("new")
        #expect(directory.read("file").count == 3 + BackupFile.checkBytes)
        #expect(try names() == ["file"])
        unsafe unlink(path)
        let first = try BackupWriter(path: path, replaces: false)
        #expect(throws: HomeError.backupUnderWay(path: "\(directory.path)/.file.partial")) {
            try write("second")
        }
        try first.append([1])
        try first.finish()
        #expect(directory.read("file").first == 1)
    }

    @Test(arguments: ["relative", "/", "", "/tmp/.."])
    func `a path that names no file is refused`(path: String) {
        #expect(throws: HomeError.self) { try BackupWriter(path: path, replaces: false) }
    }

    @Test func `a link in the place of the unfinished file is not followed`() throws {
        directory.write("victim", "kept")
        unsafe symlink("victim", "\(directory.path)/.file.partial")
        #expect(throws: HomeError.self) { try write("new") }
        #expect(directory.read("victim") == Array("kept".utf8))
    }
}
