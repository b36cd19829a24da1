import Foundation

/// The built command, beside the test bundle.
struct Simulator {
    /// How it ended and what it said.
    struct Ended {
        let code: Int32
        let output: String
        let error: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The objects on standard output, which must be nothing else.
        func objects() throws -> [[String: Any]] {
            try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                guard let members = object as? [String: Any] else { throw NoObject() }
                return members
            }
        }
    }

    struct NoObject: Error {}

    private static let program: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return URL(filePath: own ?? "").deletingLastPathComponent().path + "/simulate"
    }()

    /// Starts the command; its output goes to a file.
    static func start(_ words: [String], output: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = words
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        _ = FileManager.default.createFile(atPath: output + ".err", contents: nil)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: output + ".err")
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs the command to its end.
    static func run(_ words: String...) throws -> Ended { try run(words) }

    static func run(_ words: [String]) throws -> Ended {
        let output = NSTemporaryDirectory() + "simulate-\(UUID().uuidString)"
        defer {
            for path in [output, output + ".err"] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        let process = try start(words, output: output)
        process.waitUntilExit()
        return Ended(
            code: process.terminationStatus,
            output: try String(contentsOfFile: output, encoding: .utf8),
            error: try String(contentsOfFile: output + ".err", encoding: .utf8))
    }
}
