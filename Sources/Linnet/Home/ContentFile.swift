import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that a content is written to. It has its name only once all of it is there and durable.
final class ContentFile {
    private let directory: OpenFile
    private let name: String
    private let replaces: Bool
    private let partial: OpenFile
    private var written = 0
    private var isDone = false

    private var partialName: String { ".\(name).partial" }

    /// Takes the place at an absolute path; throws for an existing file unless it is to be
    /// replaced.
    init(path: String, replaces: Bool) throws(HomeError) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let parent = path.hasPrefix("/") ? String(path[..<slash]) : ""
        name = String(path[slash...].drop { $0 == "/" })
        self.replaces = replaces
        directory = try OpenFile.directory(at: parent.isEmpty ? "/" : parent)
        guard path.hasPrefix("/"), !name.isEmpty, name != ".", name != ".." else {
            throw .system(call: "open", path: path, code: EINVAL)
        }
        if !replaces, directory.contains(name) { throw .fileExists(path: path) }
        partial = try directory.file(".\(name).partial", O_RDWR | O_CREAT | O_TRUNC)
    }

    deinit {
        guard !isDone else { return }
        do {
            try directory.remove(partialName)
        } catch {
            // What is left has a name that says that it is incomplete.
        }
    }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws(HomeError) {
        try partial.write(bytes, at: written)
        written += bytes.count
    }

    /// Makes everything durable and gives the file its name.
    func finish() throws(HomeError) {
        try partial.synchronize()
        if !replaces, directory.contains(name) {
            throw .fileExists(path: "\(directory.path)/\(name)")
        }
        try directory.rename(partialName, to: name)
        isDone = true
        try directory.synchronize()
    }
}
