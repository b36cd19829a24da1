#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder that something else carries from machine to machine: each object is a file in one of
/// three directories. There is no lock, and no rename from one directory to another.
package struct FolderMailbox: Mailbox {
    private static let unfinished = ".part-"
    /// The age from which on an unfinished file was left by a process that ended, in nanoseconds.
    private static let oldNanoseconds: UInt64 = 86_400_000_000_000
    /// The most names of any form that are read for one that is returned.
    private static let strangersPerName = 4

    private let path: String

    /// Names a folder, which has to be there when it is used.
    package init(at path: String) { self.path = path }

    /// Writes an object under a name of its own, syncs it, renames it, and syncs the directory.
    package func put(_ bytes: [UInt8], _ name: String) throws(MailboxError) {
        let parts = try ObjectName(name)
        try calling { () throws(HomeError) in
            let directory = try directory(parts.letter, making: true)
            let temporary = "\(Self.unfinished)\(UInt64.random(in: 0 ... .max))"
            // What cannot be removed is removed when it is old.
            try Self.attempt { () throws(HomeError) in
                let file = try directory.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
                try file.write(bytes)
                try file.synchronize()
                try directory.rename(temporary, to: parts.rest)
            } orElse: { () throws(HomeError) in
                try directory.remove(temporary)
            }
            try directory.synchronize()
        }
    }

    /// Does something, and where it fails something else; it is the first failure that is thrown.
    package static func attempt<Failure: Error>(
        _ body: () throws(Failure) -> Void, orElse undo: () throws(Failure) -> Void
    ) throws(Failure) {
        do throws(Failure) {
            try body()
        } catch let first {
            do throws(Failure) {
                try undo()
            } catch {
                // After a disk that is full, that nothing is there to be removed says nothing.
                throw first
            }
            throw first
        }
    }

    /// Returns an object; nil also where something else than a file lies under the name, or one
    /// that cannot be read: it holds up no others.
    package func get(_ name: String, upTo limit: Int) throws(MailboxError) -> [UInt8]? {
        let parts = try ObjectName(name)
        return try calling { () throws(HomeError) -> [UInt8]? in
            let directory: OpenFile
            do throws(HomeError) {
                directory = try self.directory(parts.letter, making: false)
            } catch {
                if error.isAbsence { return nil }
                throw error
            }
            do throws(HomeError) {
                let file = try directory.file(parts.rest, O_RDONLY | O_NONBLOCK)
                let status = try file.status()
                guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) <= limit else {
                    return nil
                }
                return try file.read(upTo: Int(status.st_size))
            } catch {
                if error.isOfOneFile { return nil }
                throw error
            }
        }
    }

    /// Returns the names in a directory but those of unfinished files, of which old ones go.
    package func list(_ letter: String, upTo limit: Int) throws(MailboxError) -> [String] {
        try calling { () throws(HomeError) -> [String] in
            let directory: OpenFile
            do throws(HomeError) {
                directory = try self.directory(letter, making: false)
            } catch {
                if error.isAbsence { return [] }
                throw error
            }
            let names = try directory.names(upTo: limit * Self.strangersPerName)
            for name in names where name.hasPrefix(Self.unfinished) {
                try removeWhenOld(name, in: directory)
            }
            return names.lazy.filter { !$0.hasPrefix(Self.unfinished) }.prefix(limit)
                .map { "\(letter)/\($0)" }
        }
    }

    /// Removes an object and syncs the directory.
    package func delete(_ name: String) throws(MailboxError) {
        let parts = try ObjectName(name)
        try calling { () throws(HomeError) in
            do throws(HomeError) {
                let directory = try directory(parts.letter, making: false)
                try directory.remove(parts.rest)
                try directory.synchronize()
            } catch {
                if !error.isAbsence { throw error }
            }
        }
    }

    private func removeWhenOld(
        _ name: String, in directory: borrowing OpenFile
    ) throws(HomeError) {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let status: stat
        do throws(HomeError) {
            status = try directory.status(of: name)
        } catch {
            if error.isAbsence { return }
            throw error
        }
        let age = nanoseconds(now.tv_sec, now.tv_nsec)
        guard age > status.changeNanoseconds,
            age - status.changeNanoseconds > Self.oldNanoseconds
        else { return }
        try directory.remove(name)
    }

    /// Opens the directory of a letter; the folder itself is never made.
    private func directory(_ letter: String, making: Bool) throws(HomeError) -> OpenFile {
        // An absent folder is no empty mailbox.
        let folder = try OpenFile.directory(at: path)
        if making {
            if unsafe mkdirat(folder.descriptor, letter, 0o700) == 0 {
                try folder.synchronize()
            } else if errno != EEXIST {
                throw .system(call: "mkdir", path: "\(path)/\(letter)", code: errno)
            }
        }
        // Whoever else writes here could set a link in its place.
        return try folder.file(letter, O_RDONLY | O_DIRECTORY)
    }

    private func calling<Result>(
        _ body: () throws(HomeError) -> Result
    ) throws(MailboxError) -> Result {
        do throws(HomeError) {
            return try body()
        } catch {
            if case .missing = error { throw .absent(path: path) }
            throw .refused(error.description)
        }
    }
}

extension HomeError {
    /// True when a file is not there.
    fileprivate var isAbsence: Bool {
        if case .system(_, _, ENOENT) = self { true } else { false }
    }

    /// True when one file is not there or cannot be read, as a link, a socket, or the file of
    /// somebody else, and others may well be.
    fileprivate var isOfOneFile: Bool {
        guard case .system(_, _, let code) = self else { return false }
        return [ENOENT, ELOOP, ENXIO, EACCES, EPERM, EIO, EISDIR, ESTALE].contains(code)
    }
}
