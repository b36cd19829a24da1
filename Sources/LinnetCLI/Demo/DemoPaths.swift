import Linnet

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the demonstration finds this program, the project's files, and a place of its own.
struct DemoPaths {
    let program: String
    let sample: String
    /// The script that runs an mDNS daemon of its own; nil where the project is not.
    let privateDaemon: String?
    let directory: String

    init() throws(ControlFailure) {
        let program = try Self.programPath()
        let roots = Self.ancestors(of: program) + Self.ancestors(of: Self.workingDirectory() + "/.")
        guard let root = roots.first(where: { Self.exists("\($0)/docs/samples/household.csv") })
        else {
            throw .failed("docs/samples/household.csv is not found: run it inside the project")
        }
        var name = Array("/tmp/linnet-demo-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else {
            throw .failed("cannot make a directory in /tmp: \(SystemError.text(of: errno))")
        }
        self.program = program
        sample = "\(root)/docs/samples/household.csv"
        let scripts = Environment.value("LINNET_SCRIPTS") ?? "\(root)/scripts"
        let script = "\(scripts)/private-mdns"
        privateDaemon = Self.exists(script) ? script : nil
        directory = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the directory and all that is in it.
    func removeDirectory() {
        Self.remove(directory)
    }

    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    private static func programPath() throws(ControlFailure) -> String {
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            var count = UInt32(buffer.count)
            guard unsafe _NSGetExecutablePath(&buffer, &count) == 0 else {
                throw .failed("the path of this program is not known")
            }
            let bytes = buffer.prefix { $0 != 0 }
        #else
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { throw .failed("the path of this program is not known") }
            let bytes = buffer.prefix(count)
        #endif
        return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func workingDirectory() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&buffer, buffer.count) != nil else { return "" }
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func ancestors(of path: String) -> [String] {
        var ancestors: [String] = []
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            rest = rest[..<slash]
            ancestors.append(String(rest))
        }
        return ancestors
    }

    private static func remove(_ path: String) {
        if let directory = unsafe opendir(path) {
            while let entry = unsafe readdir(directory) {
                let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                // Homes lie one level below; nothing in them is a directory.
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            unsafe closedir(directory)
            unsafe _ = rmdir(path)
        } else {
            unsafe _ = unlink(path)
        }
    }
}
