import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A fresh directory of mode 0700, with a path so short that those of sockets in it are not too
/// long.
struct TemporaryDirectory {
    let path: String

    init(_ prefix: String, in parent: String = "/tmp") throws(ControlFailure) {
        var name = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else {
            throw .failed("cannot make a directory in \(parent): \(SystemError.text(of: errno))")
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the directory and everything in it.
    func remove() {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        // A link goes as a file: whatever it leads to is not ours.
        if unsafe unlink(path) == 0 { return }
        if let directory = unsafe opendir(path) {
            while let entry = unsafe readdir(directory) {
                let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            unsafe closedir(directory)
            unsafe _ = rmdir(path)
        }
    }
}
