package import Linnet
import LinnetAPI
package import LinnetControl
import LinnetCrypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads passphrases from a person's terminal or from a file: never from a word of the command,
/// which everybody on the machine can read, nor from a variable.
package enum PassphraseInput {
    /// Reads a file of one line, or a pipe as in `--passphrase-file /dev/fd/3`; throws when other
    /// users may read the file.
    package static func read(file path: String) throws(ControlFailure) -> Passphrase {
        let shown = TerminalText.neutral(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw unreadable(path) }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw .failed("\(shown) is a directory: name a file with the passphrase as one line")
        }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        if isFile && status.st_mode & 0o077 != 0 {
            throw .failed(
                "\(shown) is open to other users; close it with: chmod 600 '\(shown)'")
        }
        // There is room for one byte more than allowed and a line break of two: then it shows that
        // a line is too long.
        let room = Passphrase.limitBytes + 3
        let bytes = unsafe SecretBytes.filled(upTo: room) { buffer in
            var count = 0
            while count < room {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let got = unsafe readSome(descriptor, rest)
                if got <= 0 { break }
                count += got
            }
            return count
        }
        guard let passphrase = firstLine(bytes) else {
            throw .failed(
                "\(shown) holds no passphrase of 1 to \(Passphrase.limitBytes) bytes in one line")
        }
        return passphrase
    }

    /// Throws when a file cannot be read, without reading it.
    ///
    /// A command that turns out to need no passphrase would not notice a mistyped path.
    package static func require(file path: String) throws(ControlFailure) {
        if path.isEmpty { throw .usage("--passphrase-file must not be empty") }
        guard unsafe access(path, R_OK) == 0 else { throw unreadable(path) }
    }

    private static func unreadable(_ path: String) -> ControlFailure {
        .failed("cannot read \(TerminalText.neutral(path)): \(SystemError.text(of: errno))")
    }

    /// Asks a person without showing what she types; `option` names the file that would serve
    /// instead.
    package static func ask(
        _ prompt: String, option: String = Option.passphraseFile.name
    ) throws(ControlFailure) -> Passphrase {
        guard let terminal = SilentTerminal() else {
            throw .failed(
                "a passphrase is needed, but there is no terminal to ask for it:"
                    + " give it with --\(option) FILE, or run this in a terminal")
        }
        terminal.write(prompt)
        guard let typed = terminal.line(upTo: Passphrase.limitBytes) else {
            throw .failed("no passphrase was given")
        }
        guard let passphrase = Passphrase(typed) else {
            throw .failed("a passphrase must have 1 to \(Passphrase.limitBytes) bytes")
        }
        return passphrase
    }

    /// Asks a person for a new passphrase twice, and throws when the two differ.
    package static func askTwice(
        _ prompt: String, option: String
    ) throws(ControlFailure) -> Passphrase {
        let first = try ask("\(prompt): ", option: option)
        let second = try ask("Again: ", option: option)
        guard first.secret.bytes.equals(second.secret.bytes) else {
            throw .failed("the two passphrases differ; nothing was changed")
        }
        return first
    }

    /// Returns the bytes before the line break; nil when something follows it.
    static func firstLine(_ bytes: borrowing SecretBytes) -> Passphrase? {
        let (total, end) = bytes.withBytes { span in
            var end = span.count
            if end > 0 && span[end - 1] == 0x0a { end -= 1 }
            if end > 0 && span[end - 1] == 0x0d && end < span.count { end -= 1 }
            for index in 0..<end where span[index] == 0x0a || span[index] == 0 { return (0, 0) }
            return (span.count, end)
        }
        return total == 0 ? nil : Passphrase(bytes.slice(0..<end))
    }

    private static func readSome(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        while true {
            #if canImport(Darwin)
                let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

extension Invocation {
    /// Returns the passphrase of the home, from the file that the options name or else from the
    /// person. `tries` counts the passphrases that were wrong.
    func passphrase(_ tries: Int = 0) throws(ControlFailure) -> Passphrase {
        if let path = arguments.value(Option.passphraseFile.name) {
            if tries > 0 {
                throw .failed(
                    "the passphrase in \(TerminalText.neutral(path)) is wrong; nothing was changed")
            }
            return try PassphraseInput.read(file: path)
        }
        if tries > 0 { output.note("That is not it. Try again.") }
        return try PassphraseInput.ask("Passphrase of \(home): ")
    }

    /// Opens the home in this process, after asking for its passphrase when it has one.
    ///
    /// - Parameter schema: the schema of the home from now on; nil leaves the one that it has.
    func openNode(_ schema: SchemaFile? = nil) async throws(ControlFailure) -> Node {
        try await Gateway.node(at: home, schema: schema) { (tries) throws(ControlFailure) in
            try passphrase(tries)
        }
    }
}
