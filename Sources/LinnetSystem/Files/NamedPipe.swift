#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Calls on named pipes. They never block; they take names in an open directory, and do not follow
/// a symbolic link when they open a pipe.
enum NamedPipe {
    /// The result of one read or write.
    enum Transfer: Equatable {
        case count(Int)
        case wouldBlock
        case ended
    }

    /// Makes a pipe that only this user may use; returns false when the name is taken.
    static func make(_ name: String, in directory: borrowing OpenFile) -> Bool {
        unsafe mkfifo("\(directory.path)/\(name)", 0o600) == 0
    }

    /// Opens one end of a pipe. Returns nil when there is none, or when it is something else or
    /// another user's; for writing also when nobody reads.
    static func open(
        _ name: String, in directory: borrowing OpenFile, _ access: Int32
    ) -> Int32? {
        let flags = access | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        let parent = directory.descriptor
        let opened = SystemCall.retrying { unsafe Int(openat(parent, name, flags)) }
        guard opened >= 0 else { return nil }
        let descriptor = Int32(opened)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
            status.st_uid == geteuid()
        else {
            SystemCall.close(descriptor)
            return nil
        }
        #if canImport(Darwin)
            _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        #endif
        return descriptor
    }

    /// Reads at most `limit` bytes that are there into `bytes`.
    static func read(_ descriptor: Int32, into bytes: inout [UInt8], limit: Int) -> Transfer {
        bytes = [UInt8](repeating: 0, count: limit)
        let count = SystemLibrary.read(descriptor, &bytes, limit)
        let code = errno
        bytes.removeLast(limit - max(0, count))
        return transfer(count, code)
    }

    /// Writes as much of `bytes[start...]` as the pipe takes.
    static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Transfer {
        let count = unsafe bytes.withUnsafeBytes { raw in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[start...])
            return unsafe SystemLibrary.write(descriptor, rest.baseAddress, rest.count)
        }
        let code = errno
        return count == 0 ? .wouldBlock : transfer(count, code)
    }

    private static func transfer(_ count: Int, _ code: Int32) -> Transfer {
        if count > 0 { return .count(count) }
        let blocked = code == EAGAIN || code == EWOULDBLOCK || code == EINTR
        return count < 0 && blocked ? .wouldBlock : .ended
    }
}

/// Calls the system's functions of names that a type here has too.
private enum SystemLibrary {
    static func read(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(descriptor, &bytes, count)
        #else
            unsafe Glibc.read(descriptor, &bytes, count)
        #endif
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.write(descriptor, bytes, count)
        #else
            unsafe Glibc.write(descriptor, bytes, count)
        #endif
    }
}
