import Foundation

/// The files of this repository as git lists them, read once.
struct Repository: Sendable {
    enum Failure: Error { case gitFailed }

    let files: [SourceFile]
    let context: Context

    /// The repository this test was compiled from.
    static let here = Result { try Repository(top: URL(filePath: #filePath).ancestor(3)) }

    private init(top: URL) throws {
        let listing = try Repository.list(top)
        var paths: Set<String> = []
        var executables: Set<String> = []
        var files: [SourceFile] = []
        for path in listing {
            let url = top.appending(path: path)
            guard let data = try? Data(contentsOf: url) else { continue }
            paths.insert(path)
            if FileManager.default.isExecutableFile(atPath: url.path) { executables.insert(path) }
            // Published vectors are other people's bytes.
            guard !path.contains("/Vectors/"), let text = String(data: data, encoding: .utf8) else {
                continue
            }
            files.append(SourceFile(path, text))
        }
        self.files = files
        context = Context(files: files, paths: paths, executables: executables)
    }

    /// Tracked files and new ones that are not ignored.
    private static func list(_ top: URL) throws -> [String] {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        git.currentDirectoryURL = top
        let output = Pipe()
        git.standardOutput = output
        try git.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        guard git.terminationStatus == 0 else { throw Failure.gitFailed }
        return Set(String(decoding: data, as: UTF8.self).split(separator: "\0").map(String.init))
            .sorted()
    }
}

extension URL {
    fileprivate func ancestor(_ levels: Int) -> URL {
        (0..<levels).reduce(self) { url, _ in url.deletingLastPathComponent() }
    }
}
