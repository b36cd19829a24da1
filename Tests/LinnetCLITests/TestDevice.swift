import Glibc
import Linnet
import LinnetAPI
import LinnetCLI

/// A home in a directory of its own, and the built command to use it with.
final class TestDevice {
    /// How a command ended and what it said.
    struct Outcome {
        let code: Int32
        let output: String
        let error: String

        /// The objects on standard output, which must be nothing else.
        func objects() throws -> [JSON] {
            try output.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
        }
    }

    /// The command beside the test bundle.
    static let program: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(
            decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directory = path.split(separator: "/").dropLast()
        return "/" + directory.joined(separator: "/") + "/linnet"
    }()

    let directory: String
    var home: String { "\(directory)/home" }
    private var commands = 0

    init() {
        var name = Array("/tmp/linnet-cli-XXXXXX".utf8CString)
        precondition(unsafe mkdtemp(&name) != nil, "no temporary directory")
        directory = String(
            decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(directory)
    }

    /// A device that has founded a group.
    static func founder(_ name: String = "Laptop") throws -> TestDevice {
        let device = TestDevice()
        let outcome = try device.run("init", "--name", name, "--kind", "laptop")
        precondition(outcome.code == 0, "init failed: \(outcome.error)")
        return device
    }

    /// Runs a command on this home to its end.
    func run(_ words: String...) throws -> Outcome {
        try run(words)
    }

    /// Runs a command on this home to its end, with these variables.
    func run(_ words: [String], environment: [(String, String)] = []) throws -> Outcome {
        let (process, output) = try start(words, environment: environment)
        return finish(process, output)
    }

    /// Starts a command on this home; its output goes to a file.
    func start(
        _ words: [String], environment: [(String, String)] = []
    ) throws -> (ChildProcess, String) {
        commands += 1
        let output = "\(directory)/\(commands).out"
        return (try start(words, output: output, environment: environment), output)
    }

    /// Starts a command whose lines are read while it runs.
    func follow(_ words: [String]) throws -> FollowedCommand {
        commands += 1
        let pipe = "\(directory)/\(commands).pipe"
        unsafe mkfifo(pipe, 0o600)
        // The reader comes first: a writer that opens a pipe without one would wait for ever.
        let descriptor = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        precondition(descriptor >= 0, "no pipe")
        let process = try start(words, output: pipe, environment: [])
        return FollowedCommand(process, descriptor, "\(pipe).err")
    }

    /// Waits for the end of a command.
    func finish(_ process: ChildProcess, _ output: String) -> Outcome {
        var status: Int32 = 0
        unsafe waitpid(process.id, &status, 0)
        let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
        return Outcome(code: code, output: read(output), error: read("\(output).err"))
    }

    /// Writes a file beside the home; returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        let path = "\(directory)/\(name)"
        try FileText.write(text, to: path)
        return path
    }

    func read(_ path: String) -> String {
        String(decoding: (try? FileText.read(path)) ?? [], as: UTF8.self)
    }

    /// Makes a directory.
    static func make(_ path: String) {
        precondition(unsafe mkdir(path, 0o700) == 0, "no directory \(path)")
    }

    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    private func start(
        _ words: [String], output: String, environment: [(String, String)]
    ) throws -> ChildProcess {
        let all = environment.isEmpty ? words + ["--home", home] : words
        return try ChildProcess(
            [Self.program] + all, environment: environment, output: output,
            error: "\(output).err")
    }

    private static func remove(_ path: String) {
        // First as a file: what a link leads to is not ours.
        if unsafe unlink(path) == 0 { return }
        guard let directory = unsafe opendir(path) else { return }
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

/// A command that goes on while its lines are read.
final class FollowedCommand {
    /// Nothing came that was waited for.
    struct Ended: Error {
        let hasEnded: Bool
        let passedOver: [String]
        let error: String
    }

    let process: ChildProcess
    private let descriptor: Int32
    private let errorPath: String
    private var bytes: [UInt8] = []
    private var passedOver: [String] = []

    init(_ process: ChildProcess, _ descriptor: Int32, _ errorPath: String) {
        self.process = process
        self.descriptor = descriptor
        self.errorPath = errorPath
    }

    deinit {
        process.signal(SIGKILL)
        close(descriptor)
    }

    /// The next object that the command writes; throws when it ends or writes none for long.
    func next() throws -> JSON {
        while true {
            if let end = bytes.firstIndex(of: 0x0a) {
                let line = Array(bytes[..<end])
                bytes.removeFirst(end + 1)
                return try JSONReader.read(line)
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // A peer that was away for long is dialled again after a minute at the latest.
            guard unsafe poll(&entry, 1, 120_000) > 0 else { throw ended() }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer.prefix(count)
            } else if process.result() != nil || count == 0 {
                throw ended()
            }
        }
    }

    /// The next object with this event; others before it are passed over.
    func next(_ event: String) throws -> JSON {
        while true {
            let object = try next()
            if object["event"]?.string == event { return object }
            passedOver = passedOver.suffix(19) + [object.line]
        }
    }

    /// Ends the command with a signal; returns its exit code.
    func end(_ number: Int32 = SIGTERM) -> Int32 {
        process.signal(number)
        return waitForEnd()
    }

    /// Waits for the end; returns the exit code.
    func waitForEnd() -> Int32 {
        var status: Int32 = 0
        unsafe waitpid(process.id, &status, 0)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
    }

    /// What the command said to people.
    var error: String {
        String(decoding: (try? FileText.read(errorPath)) ?? [], as: UTF8.self)
    }

    private func ended() -> Ended {
        Ended(hasEnded: process.result() != nil, passedOver: passedOver, error: error)
    }
}
