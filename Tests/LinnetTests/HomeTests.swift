import Foundation
import Glibc
import Linnet
import Testing

struct HomeTests {
    let directory = TemporaryDirectory()

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func `a new home and its parents are closed to others`() throws {
        let path = "\(directory.path)/a/b"
        let home = try Home.create(at: path + "//")
        #expect(home.isNew)
        #expect(home.path == path)
        #expect(mode(path) == 0o700)
        #expect(mode("\(directory.path)/a") == 0o700)
        #expect(try !Home.create(at: path).isNew)
    }

    @Test func `a home that others may enter is refused with a remedy`() throws {
        let path = directory.path
        unsafe chmod(path, 0o750)
        let error = #expect(throws: HomeError.directoryPermissions(path: path, mode: 0o750)) {
            try Home.open(at: path)
        }
        #expect(error?.description.contains("chmod 700 '\(path)'") == true)
        #expect(mode(path) == 0o750)
        unsafe chmod(path, 0o700)
        #expect(try Home.open(at: path).path == path)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `a home of another user is refused`() throws {
        unsafe chown(directory.path, 12_345, 12_345)
        #expect(throws: HomeError.directoryOwner(path: directory.path, userID: 12_345)) {
            try Home.create(at: directory.path)
        }
    }

    @Test func `a missing home and a file in its place have names`() throws {
        directory.write("file", "text")
        #expect(throws: HomeError.missing(path: "\(directory.path)/none")) {
            try Home.open(at: "\(directory.path)/none")
        }
        for path in ["\(directory.path)/file", "\(directory.path)/file/below"] {
            #expect(throws: HomeError.notADirectory(path: path)) { try Home.create(at: path) }
        }
    }

    @Test func `the second to lock a home is told the first one's process`() throws {
        let home = try Home.open(at: directory.path)
        var first: HomeLock? = try HomeLock(home)
        #expect(throws: HomeError.locked(path: home.path, processID: getpid())) {
            try HomeLock(home)
        }
        #expect(try HomeLock.holder(of: home) == .process(getpid()))
        withExtendedLifetime(first) {}
        first = nil
        #expect(try HomeLock.holder(of: home) == .nobody)
        #expect(directory.read("lock").isEmpty)
    }

    @Test func `a child process that still has the file does not keep the lock`() throws {
        let home = try Home.open(at: directory.path)
        var first: HomeLock? = try HomeLock(home)
        let lock = "\(home.path)/lock"
        // The child has what was open when it began, until it runs its own program.
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let copies = files.compactMap(Int32.init).filter { file in
            (try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(file)")) == lock
        }.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        withExtendedLifetime(first) {}
        first = nil
        #expect(try HomeLock.holder(of: home) == .nobody)
    }

    @Test func `a lock is never taken through a symbolic link`() throws {
        directory.write("elsewhere", "")
        unsafe symlink("elsewhere", "\(directory.path)/lock")
        let home = try Home.open(at: directory.path)
        #expect(throws: HomeError.self) { try HomeLock(home) }
    }

    @Test func `removing the files of a new home leaves what is not ours`() throws {
        let path = "\(directory.path)/new"
        let home = try Home.create(at: path)
        try KeyFileStore(home).create([1, 2, 3])
        directory.write("new/mine", "kept")
        try home.removeFiles()
        #expect(!home.hasDevice)
        #expect(directory.read("new/mine") == Array("kept".utf8))
        unsafe unlink("\(path)/mine")
        try home.removeFiles()
        #expect(throws: HomeError.missing(path: path)) { try Home.open(at: path) }
    }
}
