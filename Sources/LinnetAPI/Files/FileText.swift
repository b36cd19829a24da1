import Linnet
package import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads and writes the files that people name on the command line.
package enum FileText {
    /// The size of the largest file that is read, in bytes; no import needs as much.
    package static let sizeLimitBytes = 256 << 20

    /// Reads the whole content of a file, at most `limitBytes`.
    package static func read(
        _ path: String, upTo limitBytes: Int = sizeLimitBytes
    ) throws(ControlFailure) -> [UInt8] {
        if path.isEmpty { throw .usage("the name of a file must not be empty") }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot read", path) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Self.read(descriptor, &buffer)
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("cannot read", path)
            }
            content += buffer.prefix(count)
            if content.count > limitBytes {
                let shown = TerminalText.neutral(path)
                throw .failed("\(shown) is larger than \(limitBytes >> 20) MiB: split it")
            }
        }
    }

    /// Writes a file whole or not at all: a temporary file takes its name at the end.
    package static func write(_ text: String, to path: String) throws(ControlFailure) {
        try write(Array(text.utf8), to: path)
    }

    /// Writes a file whole or not at all: a temporary file takes its name at the end.
    package static func write(_ bytes: [UInt8], to path: String) throws(ControlFailure) {
        let (descriptor, temporary) = try begin(path)
        var done = 0
        var isWritten = true
        while isWritten && done < bytes.count {
            let count = Self.write(descriptor, bytes, from: done)
            if count >= 0 { done += count } else { isWritten = errno == EINTR }
        }
        isWritten = isWritten && fsync(descriptor) == 0
        isWritten = close(descriptor) == 0 && isWritten
        if isWritten { isWritten = unsafe rename(temporary, path) == 0 }
        if !isWritten {
            let failure = failure("cannot write", path)
            unsafe _ = unlink(temporary)
            throw failure
        }
    }

    /// Throws what `write` would throw where no file can be made.
    package static func requirePlace(for path: String) throws(ControlFailure) {
        let (descriptor, temporary) = try begin(path)
        close(descriptor)
        unsafe _ = unlink(temporary)
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            errno = EISDIR
            throw failure("cannot write", path)
        }
    }

    private static func begin(
        _ path: String
    ) throws(ControlFailure) -> (descriptor: Int32, temporary: String) {
        if path.isEmpty { throw .usage("the name of a file must not be empty") }
        let temporary = "\(path).\(getpid()).new"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = unsafe open(temporary, flags, 0o600)
        guard descriptor >= 0 else { throw failure("cannot write", path) }
        return (descriptor, temporary)
    }

    private static func failure(_ what: String, _ path: String) -> ControlFailure {
        .failed("\(what) \(TerminalText.neutral(path)): \(SystemError.text(of: errno))")
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(descriptor, &buffer, buffer.count)
        #else
            unsafe Glibc.read(descriptor, &buffer, buffer.count)
        #endif
    }

    private static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
            #if canImport(Darwin)
                return unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
            #else
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
        }
    }
}
