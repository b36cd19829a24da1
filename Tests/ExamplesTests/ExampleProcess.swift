import Foundation

/// One of the example programs, started as a process of its own.
final class ExampleProcess {
    /// The program ended before it said what was waited for.
    struct Ended: Error { let said: [String] }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()
    private(set) var said: [String] = []

    /// Starts the program of that name, which lies beside the tests.
    init(_ program: String, _ words: [String]) throws {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: program)
        process.arguments = words
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    /// Types a line.
    func type(_ line: String) {
        input.fileHandleForWriting.write(Data((line + "\n").utf8))
    }

    /// Reads until a line contains `text`, and returns that line.
    @discardableResult
    func wait(for text: String) throws -> String {
        while let line = nextLine() {
            if line.contains(text) { return line }
        }
        throw Ended(said: said)
    }

    /// Reads all that is left, and returns the exit code.
    func finish() throws -> Int32 {
        try input.fileHandleForWriting.close()
        while nextLine() != nil {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    private func nextLine() -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0a) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                said.append(line)
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    /// Runs a program to its end; returns its exit code and what it said.
    static func run(_ program: String, _ words: String...) throws -> (code: Int32, said: [String]) {
        let example = try ExampleProcess(program, words)
        let code = try example.finish()
        return (code, example.said)
    }
}

/// A folder that is removed with what is in it.
final class ScratchFolder {
    let path = NSTemporaryDirectory() + "linnet-example-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("\(path) stays: \(error)")
        }
    }
}
