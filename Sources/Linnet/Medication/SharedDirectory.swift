public import LinnetFaces
public import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory as the place that an app shares with its widgets.
public struct SharedDirectory: SharedContainer, Sendable {
    /// The reason why the directory or a file in it cannot be used.
    public typealias Failure = HomeError

    /// The path of the directory.
    public let path: String

    /// Names a directory that is there, as a widget knows it.
    public init(at path: String) {
        self.path = path
    }

    /// Makes the directory, for this user alone, where there is none.
    public static func create(at path: String) throws(HomeError) -> SharedDirectory {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .system(call: "mkdir", path: path, code: errno)
        }
        _ = try OpenFile.directory(at: path).descriptor
        return SharedDirectory(at: path)
    }

    /// Reads a file, or the beginning of one that is too long; nil where there is none.
    public func bytes(of file: SharedFile) throws(HomeError) -> [UInt8]? {
        do throws(HomeError) {
            return try OpenFile.reading(at: "\(path)/\(file.rawValue)")
                .read(upTo: FaceSnapshot.maximumBytes + 1)
        } catch .system(call: _, path: _, code: ENOENT) {
            return nil
        }
    }

    /// Puts bytes in the place of a file: a temporary one is synced and takes its name.
    public mutating func replace(_ file: SharedFile, with bytes: [UInt8]?) throws(HomeError) {
        let directory = try OpenFile.directory(at: path)
        guard let bytes else { return try directory.remove(file.rawValue) }
        let temporary = "\(file.rawValue).\(getpid()).new"
        try directory.remove(temporary)
        do throws(HomeError) {
            let written = try directory.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
            try written.write(bytes)
            try written.synchronize()
            try directory.rename(temporary, to: file.rawValue)
            try directory.synchronize()
        } catch {
            // The first failure is told; the next writing removes what is left.
            try? directory.remove(temporary)
            throw error
        }
    }
}
