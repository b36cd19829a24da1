#if canImport(Glibc)
    package import Glibc
#else
    package import Darwin
#endif

/// An open file or directory that is closed when the value ends.
///
/// Names are looked up in an open directory, never through a path that could be exchanged between
/// two calls.
package struct OpenFile: ~Copyable, Sendable {
    /// The descriptor, which is valid as long as the value lives.
    package let descriptor: Int32
    /// The path, for messages.
    package let path: String

    /// Takes over an open descriptor.
    package init(adopting descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        SystemCall.close(descriptor)
    }

    /// Opens the directory at `path`.
    package static func directory(at path: String) throws(HomeError) -> OpenFile {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let descriptor = SystemCall.retrying { unsafe Int(open(path, flags)) }
        if descriptor < 0 {
            let code = errno
            switch code {
            case ENOENT: throw .missing(path: path)
            case ENOTDIR: throw .notADirectory(path: path)
            default: throw .system(call: "open", path: path, code: code)
            }
        }
        return OpenFile(adopting: Int32(descriptor), path: path)
    }

    /// Opens a file that a person named for reading, also through a symbolic link.
    package static func reading(at path: String) throws(HomeError) -> OpenFile {
        // Without O_NONBLOCK a pipe would hold this call for ever.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = SystemCall.retrying { unsafe Int(open(path, flags)) }
        if descriptor < 0 { throw .system(call: "open", path: path, code: errno) }
        return OpenFile(adopting: Int32(descriptor), path: path)
    }

    /// Makes a file of mode 0600 at a path where there is nothing.
    package static func creating(at path: String) throws(HomeError) -> OpenFile {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = SystemCall.retrying { unsafe Int(open(path, flags, 0o600)) }
        if descriptor < 0 {
            let code = errno
            if code == EEXIST { throw .fileExists(path: path) }
            throw .system(call: "open", path: path, code: code)
        }
        return OpenFile(adopting: Int32(descriptor), path: path)
    }

    /// Opens the file `name` in this directory, never through a symbolic link; new files get mode
    /// 0600.
    package borrowing func file(_ name: String, _ flags: Int32) throws(HomeError) -> OpenFile {
        let whole = "\(path)/\(name)"
        let directory = descriptor
        let all = flags | O_NOFOLLOW | O_CLOEXEC
        let opened = SystemCall.retrying { unsafe Int(openat(directory, name, all, 0o600)) }
        if opened < 0 { throw .system(call: "open", path: whole, code: errno) }
        return OpenFile(adopting: Int32(opened), path: whole)
    }

    /// Gives the file `name` in this directory the name `target`, replacing the file that had it.
    package borrowing func rename(_ name: String, to target: String) throws(HomeError) {
        let result = unsafe renameat(descriptor, name, descriptor, target)
        if result != 0 { throw .system(call: "rename", path: "\(path)/\(name)", code: errno) }
    }

    /// Removes the file `name` from this directory, if it is there.
    package borrowing func remove(_ name: String) throws(HomeError) {
        let result = unsafe unlinkat(descriptor, name, 0)
        if result != 0 && errno != ENOENT {
            throw .system(call: "unlink", path: "\(path)/\(name)", code: errno)
        }
    }

    /// Returns true when this directory has an entry `name`, a dangling link included.
    package borrowing func contains(_ name: String) -> Bool {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns the system's facts about the entry `name` of this directory, without opening it.
    ///
    /// Closing a descriptor of a database would drop the locks that SQLite holds on it.
    package borrowing func status(of name: String) throws(HomeError) -> stat {
        var status = stat()
        if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
            throw .system(call: "fstatat", path: "\(path)/\(name)", code: errno)
        }
        return status
    }

    /// Returns the system's facts about the open file itself.
    package borrowing func status() throws(HomeError) -> stat {
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 {
            throw .system(call: "fstat", path: path, code: errno)
        }
        return status
    }

    /// Returns the names of this directory's entries, sorted, without itself and its parent.
    ///
    /// - Parameter limit: the most names that are read, whichever the system tells first.
    package borrowing func names(upTo limit: Int = .max) throws(HomeError) -> [String] {
        let own = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = unsafe fdopendir(own) else {
            let code = errno
            if own >= 0 { SystemCall.close(own) }
            throw .system(call: "opendir", path: path, code: code)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the content durable, or the entries of a directory.
    package borrowing func synchronize() throws(HomeError) {
        let descriptor = descriptor
        if SystemCall.retrying({ Int(fsync(descriptor)) }) < 0 {
            throw .system(call: "fsync", path: path, code: errno)
        }
    }

    /// Writes all of `bytes` at `offset`.
    package borrowing func write(_ bytes: [UInt8], at offset: Int = 0) throws(HomeError) {
        var done = 0
        let descriptor = descriptor
        while done < bytes.count {
            let start = done
            let written = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                return SystemCall.retrying {
                    unsafe pwrite(
                        descriptor, rest.baseAddress, rest.count, off_t(offset + start))
                }
            }
            if written < 0 { throw .system(call: "write", path: path, code: errno) }
            done += written
        }
    }

    /// Reads up to `limit` bytes of the file from `offset` on; fewer only at its end.
    package borrowing func read(upTo limit: Int, at offset: Int = 0) throws(HomeError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var done = 0
        let descriptor = descriptor
        while done < limit {
            let start = done
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
                return SystemCall.retrying {
                    unsafe pread(
                        descriptor, rest.baseAddress, rest.count, off_t(offset + start))
                }
            }
            if count < 0 { throw .system(call: "read", path: path, code: errno) }
            if count == 0 { break }
            done += count
        }
        bytes.removeLast(limit - done)
        return bytes
    }
}

extension OpenFile {
    /// Returns the time at which the file was made, in nanoseconds since 1970; 0 where the system
    /// does not tell.
    package borrowing func birthNanoseconds() -> UInt64 {
        #if canImport(Glibc)
            ExtendedStatus.birthNanoseconds(of: descriptor)
        #else
            guard let status = try? status() else { return 0 }
            return nanoseconds(status.st_birthtimespec.tv_sec, status.st_birthtimespec.tv_nsec)
        #endif
    }
}

extension stat {
    /// The time at which content or properties changed last, in nanoseconds since 1970.
    package var changeNanoseconds: UInt64 {
        #if canImport(Glibc)
            nanoseconds(st_ctim.tv_sec, st_ctim.tv_nsec)
        #else
            nanoseconds(st_ctimespec.tv_sec, st_ctimespec.tv_nsec)
        #endif
    }
}

/// Joins a time's two parts to one number.
package func nanoseconds(_ seconds: Int, _ rest: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: seconds) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: rest)
}
