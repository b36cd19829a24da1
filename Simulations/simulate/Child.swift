import Glibc

/// A process that this one started, and pipes to its standard input and output.
final class Child {
    let id: pid_t
    /// The descriptor to which its standard input is written.
    private(set) var input: Int32
    /// The descriptor from which its standard output is read.
    let output: Int32
    private var buffer: [UInt8] = []

    private init(id: pid_t, input: Int32, output: Int32) {
        self.id = id
        self.input = input
        self.output = output
    }

    deinit {
        closeInput()
        close(output)
    }

    /// This very program.
    static let program: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        return String(
            decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Starts a program that is found along the path; nil when that cannot be done.
    ///
    /// A silent one says nothing at standard error.
    static func start(_ words: [String], isSilent: Bool = false) -> Child? {
        var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard unsafe pipe(&toChild) == 0 else { return nil }
        guard unsafe pipe(&fromChild) == 0 else {
            for end in toChild { close(end) }
            return nil
        }
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        if isSilent {
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe arguments.forEach { unsafe free($0) }
            close(toChild[0])
            close(fromChild[1])
        }
        var id: pid_t = 0
        guard unsafe posix_spawnp(&id, words[0], &actions, nil, &arguments, environ) == 0 else {
            close(toChild[1])
            close(fromChild[0])
            return nil
        }
        return Child(id: id, input: toChild[1], output: fromChild[0])
    }

    /// Tells the child that nothing more comes.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Reads what there is; false at the end of the child's output.
    func readSome() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(output, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            buffer += bytes.prefix(count)
            return true
        }
    }

    /// The next complete line of what was read.
    func nextLine() -> String? {
        guard let end = buffer.firstIndex(of: 0x0a) else { return nil }
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line
    }

    /// Everything until the end.
    func readAll() -> String {
        closeInput()
        while readSome() {}
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Waits for its end: an exit code, or the number of a signal.
    func waitForEnd() -> (code: Int32, signal: Int32) {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
        return ((status >> 8) & 0xff, status & 0x7f)
    }
}
