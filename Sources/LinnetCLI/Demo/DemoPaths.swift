import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The paths of this program, of the project's files, and of a directory for the demonstration.
struct DemoPaths {
    let program: String
    let sample: String
    /// The script that runs a private mDNS daemon; nil where the project's scripts are not found.
    let privateDaemon: String?
    let directory: TemporaryDirectory

    init() throws(ControlFailure) {
        let program = try Self.programPath()
        let roots = Self.ancestors(of: program) + Self.ancestors(of: Self.workingDirectory() + "/.")
        guard let root = roots.first(where: { Self.exists("\($0)/docs/samples/household.csv") })
        else {
            throw .failed("docs/samples/household.csv is not found: run it inside the project")
        }
        directory = try TemporaryDirectory("linnet-demo")
        self.program = program
        sample = "\(root)/docs/samples/household.csv"
        let scripts = Environment.value("LINNET_SCRIPTS") ?? "\(root)/scripts"
        let script = "\(scripts)/private-mdns"
        privateDaemon = Self.exists(script) ? script : nil
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
}
