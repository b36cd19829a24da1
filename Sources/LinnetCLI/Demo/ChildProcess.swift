import Linnet
import LinnetAPI
package import LinnetControl

#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// A process that this one started, in a process group of its own.
package final class ChildProcess {
    /// The id of the process, which is also the id of its group.
    package let id: pid_t
    private var exitCode: Int32?

    /// Starts `words` with files as its standard input, output and error; throws when it cannot
    /// start.
    ///
    /// - Parameter environment: variables that are set in addition to those of this process.
    package init(
        _ words: [String], environment: [(String, String)], input: String = "/dev/null",
        output: String, error: String
    ) throws(ControlFailure) {
        guard let id = Self.spawn(words, environment, [input, output, error]) else {
            throw .failed("cannot start \(words.first ?? ""): \(SystemError.text(of: errno))")
        }
        self.id = id
    }

    /// Returns the exit code, or 128 and the number of the signal that ended it; nil while it runs.
    package func result() -> Int32? {
        if exitCode == nil {
            var status: Int32 = 0
            if unsafe waitpid(id, &status, WNOHANG) == id {
                let number = status & 0x7f
                exitCode = number == 0 ? (status >> 8) & 0xff : 128 + number
            }
        }
        return exitCode
    }

    /// Sends a signal to the process and to all that it started, unless it is known to have ended.
    package func signal(_ number: Int32) {
        if exitCode == nil { kill(-id, number) }
    }

    private static func spawn(
        _ words: [String], _ environment: [(String, String)], _ files: [String]
    ) -> pid_t? {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (descriptor, path) in files.enumerated() {
            // The descriptor is for reading and writing: then a pipe as standard input neither
            // blocks nor ends.
            let flags = descriptor == 0 ? O_RDWR : O_WRONLY | O_CREAT | O_TRUNC
            unsafe posix_spawn_file_actions_addopen(
                &actions, Int32(descriptor), path, flags, 0o600)
        }
        // Swift's worker threads block most signals, and a child would inherit the mask.
        var (none, reset) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&reset)
        unsafe sigaddset(&reset, SIGPIPE)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &reset)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var variables = inherited(without: environment.map(\.0))
        variables += environment.map { "\($0)=\($1)" }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var pointers = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer {
            unsafe (arguments + pointers).forEach { unsafe free($0) }
        }
        var id: pid_t = 0
        let code = unsafe posix_spawn(
            &id, words[0], &actions, &attributes, &arguments, &pointers)
        if code != 0 { errno = code }
        return code == 0 ? id : nil
    }

    private static func inherited(without names: [String]) -> [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if !names.contains(where: { text.hasPrefix("\($0)=") }) { variables.append(text) }
            unsafe next += 1
        }
        return variables
    }
}
