#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory of its own for one test, removed with everything in it at the end.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var name = Array("/tmp/linnet-test-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&name)
        precondition(unsafe made != nil, "no temporary directory")
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// The whole content of a file.
    func read(_ name: String) -> [UInt8] {
        let descriptor = unsafe open("\(path)/\(name)", O_RDONLY)
        precondition(descriptor >= 0, "cannot read \(name)")
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(count))
    }

    /// Writes a file, with exactly this mode.
    func write(_ name: String, _ text: String, mode: mode_t = 0o600) {
        let descriptor = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(descriptor >= 0, "cannot write \(name)")
        let bytes = Array(text.utf8)
        unsafe _ = pwrite(descriptor, bytes, bytes.count, 0)
        fchmod(descriptor, mode)
        close(descriptor)
    }

    private static func remove(_ path: String) {
        // First as a file: what a link leads to is not ours.
        if unsafe unlink(path) == 0 { return }
        guard let directory = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            let child = "\(path)/\(name)"
            var status = stat()
            let isDirectory =
                unsafe lstat(child, &status) == 0
                && status.st_mode & S_IFMT == S_IFDIR
            if isDirectory { remove(child) } else { unsafe _ = unlink(child) }
        }
        unsafe closedir(directory)
        unsafe _ = rmdir(path)
    }
}
