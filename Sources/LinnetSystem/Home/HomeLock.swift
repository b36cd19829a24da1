#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The exclusive use of a home directory, until the value goes away or the process ends.
///
/// The kernel releases the lock with the process, however it ends, so no stale lock stays behind.
package final class HomeLock: Sendable {
    private let file: OpenFile

    /// Takes the lock, or throws ``HomeError/locked(path:processID:)`` with the process that holds
    /// it.
    package init(_ home: Home) throws(HomeError) {
        let file = try home.directory.file(Home.File.lock.rawValue, O_RDWR | O_CREAT)
        try Self.take(file, of: home)
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(file.descriptor, 0) != 0 {
            throw .system(call: "ftruncate", path: file.path, code: errno)
        }
        try file.write(text)
        self.file = file
    }

    /// Takes the lock of a home in which nothing can be written; the lock file does not name its
    /// holder then.
    package init(reading home: Home) throws(HomeError) {
        // Nobody holds a lock file that nobody could make; the directory's own lock stands in for
        // it.
        let name = home.directory.contains(Home.File.lock.rawValue) ? Home.File.lock.rawValue : "."
        let file = try home.directory.file(name, O_RDONLY)
        try Self.take(file, of: home)
        self.file = file
    }

    private static func take(_ file: borrowing OpenFile, of home: Home) throws(HomeError) {
        if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return }
        let code = errno
        guard code == EWOULDBLOCK else {
            throw .system(call: "flock", path: file.path, code: code)
        }
        throw .locked(path: home.path, processID: processID(in: file))
    }

    deinit {
        _ = ftruncate(file.descriptor, 0)
        // A child process that has just begun still has the descriptor, and with it the lock.
        _ = flock(file.descriptor, LOCK_UN)
    }

    /// Returns the process that holds the home's lock now.
    package static func holder(of home: Home) throws(HomeError) -> Holder {
        do throws(HomeError) {
            _ = try HomeLock(home)
            return .nobody
        } catch {
            guard case .locked(_, let process) = error else { throw error }
            return .process(process)
        }
    }

    /// The holder of a home's lock.
    package enum Holder: Equatable, Sendable {
        /// The home is free.
        case nobody
        /// A process holds it; its id is there when the lock file tells it.
        case process(Int32?)
    }

    private static func processID(in file: borrowing OpenFile) -> Int32? {
        guard let bytes = try? file.read(upTo: 16) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
