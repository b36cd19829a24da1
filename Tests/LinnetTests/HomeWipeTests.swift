import Glibc
import Testing

@testable import Linnet

struct HomeWipeTests {
    let directory = TemporaryDirectory()

    private var path: String { "\(directory.path)/home" }

    private static let files = [
        "key", "key.bak", "store.sqlite", "store.sqlite-wal", "witness", "key.new", "restore.new",
        "trial.new", "faces.key", "faces.key.new",
    ]

    /// A home with some of its files.
    private func make(_ names: some Sequence<String>) throws {
        _ = try Home.create(at: path)
        for name in names { directory.write("home/\(name)", "content of \(name)") }
    }

    private func wipe() throws -> WipeReport { try HomeWipe(path).perform { _ in } }

    @Test func `everything of a home goes, and the home with it`() throws {
        try make(Self.files)
        let report = try wipe()
        #expect(report.removed == (Self.files + ["lock"]).sorted())
        #expect(report.left.isEmpty)
        #expect(throws: HomeError.missing(path: path)) { try Home.open(at: path) }
    }

    @Test func `what is not ours is left and named`() throws {
        try make(Self.files + ["notes.txt"])
        let report = try wipe()
        #expect(report.left == ["notes.txt"])
        #expect(directory.read("home/notes.txt") == Array("content of notes.txt".utf8))
        let again = try wipe()
        #expect(again.removed == ["lock"] && again.left == ["notes.txt"])
    }

    @Test func `a wiping that was cut short anywhere is finished by the next`() throws {
        for count in 0...Self.files.count {
            try make(Self.files.dropFirst(count))
            #expect(try wipe().left.isEmpty)
            #expect(throws: HomeError.missing(path: path)) { try Home.open(at: path) }
        }
    }

    @Test func `a home that a process has open is not touched`() throws {
        try make(Self.files)
        let lock = try HomeLock(Home.open(at: path))
        #expect(throws: HomeError.locked(path: path, processID: getpid())) { try wipe() }
        #expect(directory.read("home/key") == Array("content of key".utf8))
        withExtendedLifetime(lock) {}
    }

    @Test func `the keys go first`() throws {
        try make(Self.files)
        // A directory in the database's place stops the wiping there.
        unsafe unlink("\(path)/store.sqlite")
        unsafe mkdir("\(path)/store.sqlite", 0o700)
        #expect(throws: HomeError.self) { try wipe() }
        #expect(unsafe access("\(path)/key", F_OK) != 0)
        #expect(unsafe access("\(path)/key.bak", F_OK) != 0)
        unsafe rmdir("\(path)/store.sqlite")
        #expect(try wipe().left.isEmpty)
    }
}
