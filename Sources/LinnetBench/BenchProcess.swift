import CBench

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A second process, which is this program's helper in one of its roles.
final class BenchProcess {
    private let process: Int32
    let output: Int32
    private var isReaped = false

    init(_ program: String, _ arguments: [String]) throws {
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var output: Int32 = -1
        process = unsafe bench_spawn(words, &output)
        self.output = output
        try require(process > 0, "cannot start \(program)")
    }

    deinit {
        close(output)
        if !isReaped { _ = bench_reap(process) }
    }

    /// Reads what the process prints until it ends.
    func readAll() -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let got = unsafe read(output, &chunk, chunk.count)
            guard got > 0 else { return all }
            all += chunk[..<got]
        }
    }

    /// Waits for its end, and throws unless that was a good one.
    func finish() throws {
        isReaped = true
        try require(bench_reap(process) == 0, "the second process failed")
    }

    /// Runs one to its end and returns what it printed.
    @discardableResult
    static func run(_ program: String, _ arguments: String...) throws -> String {
        let child = try BenchProcess(program, arguments)
        let output = child.readAll()
        try child.finish()
        return String(decoding: output, as: UTF8.self)
    }
}
