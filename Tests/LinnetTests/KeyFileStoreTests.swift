import Glibc
import Linnet
import Testing

struct KeyFileStoreTests {
    let directory = TemporaryDirectory()
    let home: Home
    let content: [UInt8] = Array("key file content".utf8)

    init() throws {
        home = try Home.open(at: directory.path)
    }

    private var path: String { home.path(of: .key) }
    private var store: KeyFileStore { KeyFileStore(home) }

    private func isIntact(_ bytes: [UInt8]) -> Bool { bytes == content }

    /// Loads and expects this refusal, with the file as it was.
    private func expectRefusal(_ error: HomeError, _ file: String = "key") {
        let before = directory.read(file)
        var statusBefore = stat()
        unsafe lstat("\(directory.path)/\(file)", &statusBefore)
        #expect(throws: error) { try store.load(isIntact: isIntact) }
        var statusAfter = stat()
        unsafe lstat("\(directory.path)/\(file)", &statusAfter)
        #expect(directory.read(file) == before)
        #expect(statusBefore.st_mode == statusAfter.st_mode)
        #expect(statusBefore.st_ino == statusAfter.st_ino)
        #expect(statusBefore.st_mtim.tv_nsec == statusAfter.st_mtim.tv_nsec)
    }

    @Test func `two closed copies are written and read back`() throws {
        try store.create(content)
        for name in ["key", "key.bak"] {
            var status = stat()
            unsafe lstat("\(directory.path)/\(name)", &status)
            #expect(status.st_mode & 0o7777 == 0o600)
            #expect(status.st_nlink == 1)
        }
        #expect(!home.directoryContains("key.new"))
        let loaded = try store.load(isIntact: isIntact)
        #expect(loaded.bytes == content)
        #expect(loaded.unusable.isEmpty)
    }

    @Test func `a device is never overwritten`() throws {
        try store.create(content)
        #expect(throws: HomeError.keyFileExists(path: path)) { try store.create([9]) }
        unsafe unlink(path)
        #expect(throws: HomeError.keyFileExists(path: path)) { try store.create([9]) }
        #expect(try store.load(isIntact: isIntact).bytes == content)
    }

    @Test func `a leftover of a crash does not hinder creation`() throws {
        directory.write("key.new", "half")
        try store.create(content)
        #expect(directory.read("key") == content)
    }

    @Test func `no key file is an error of its own`() {
        #expect(throws: HomeError.keyFileMissing(path: path)) {
            try store.load(isIntact: isIntact)
        }
    }

    @Test(arguments: ["key", "key.bak"])
    func `a damaged copy is reported, passed over and healed`(name: String) throws {
        try store.create(content)
        directory.write(name, "key file contenT")
        let loaded = try store.load(isIntact: isIntact)
        #expect(loaded.bytes == content)
        #expect(loaded.unusable.map(\.rawValue) == [name])
        #expect(directory.read(name) == Array("key file contenT".utf8))
        try store.heal(loaded)
        #expect(try store.load(isIntact: isIntact).unusable.isEmpty)
    }

    @Test func `a missing first copy is read from the second`() throws {
        try store.create(content)
        unsafe unlink(path)
        let loaded = try store.load(isIntact: isIntact)
        #expect(loaded.bytes == content)
        #expect(loaded.unusable == [.key])
    }

    @Test func `two damaged copies are refused and left alone`() throws {
        try store.create(content)
        directory.write("key", "")
        directory.write("key.bak", String(repeating: "x", count: 100_000))
        expectRefusal(.keyFileDamaged(path: path))
    }

    @Test(arguments: [0o640, 0o604, 0o610, 0o602] as [mode_t])
    func `a key file that others may use is refused`(mode: mode_t) throws {
        try store.create(content)
        unsafe chmod(path, mode)
        expectRefusal(.keyFilePermissions(path: path, mode: mode))
    }

    @Test func `an open second copy is refused although the first is closed`() throws {
        try store.create(content)
        unsafe chmod(path + ".bak", 0o644)
        expectRefusal(.keyFilePermissions(path: path + ".bak", mode: 0o644), "key.bak")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a key file of another user is refused`() throws {
        try store.create(content)
        unsafe chown(path, 12_345, 12_345)
        expectRefusal(.keyFileOwner(path: path, userID: 12_345))
    }

    @Test func `a symbolic link is refused`() throws {
        try store.create(content)
        unsafe rename(path, "\(directory.path)/real")
        unsafe symlink("real", path)
        expectRefusal(.keyFileIsLink(path: path))
    }

    @Test func `a second name of the file is refused`() throws {
        try store.create(content)
        unsafe link(path, "\(directory.path)/other")
        expectRefusal(.keyFileLinkCount(path: path, count: 2))
    }

    @Test func `a pipe in the file's place is refused without waiting`() throws {
        try store.create(content)
        unsafe unlink(path)
        unsafe mkfifo(path, 0o600)
        #expect(throws: HomeError.keyFileNotRegular(path: path)) {
            try store.load(isIntact: isIntact)
        }
    }
}

extension Home {
    fileprivate func directoryContains(_ name: String) -> Bool {
        unsafe access("\(path)/\(name)", F_OK) == 0
    }
}
