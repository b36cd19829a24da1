package import Linnet

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a command's words go: results to standard output, everything for people beside it.
///
/// What is written is made harmless for a terminal here, whoever wrote it; only ``draw(_:to:)``,
/// which the program's own drawings use, lets escape sequences through.
package struct Output: Sendable {
    /// How much is said to people.
    package enum Level: String, CaseIterable, Comparable, Sendable {
        /// Errors alone.
        case error
        /// And warnings.
        case warning
        /// And what happens.
        case info
        /// And its details.
        case debug

        /// Orders by how much is said.
        package static func < (left: Level, right: Level) -> Bool {
            rank(left) < rank(right)
        }

        private static func rank(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
    }

    /// Whether results are JSON.
    package let isJSON: Bool
    /// How much is said to people.
    package let level: Level

    /// Chooses the form of results.
    package init(isJSON: Bool, level: Level = .info) {
        self.isJSON = isJSON
        self.level = level
    }

    /// Reports a result: as JSON on standard output, or as text there.
    package func result(_ json: JSON, _ text: @autoclosure () -> String) {
        if isJSON { Self.write(json.line + "\n", to: 1) } else { people(text()) }
    }

    /// Says something to people: on standard output, or beside it when that belongs to JSON.
    package func say(at level: Level = .info, _ text: String) {
        if self.level >= level { people(text) }
    }

    /// Says something at standard error, whatever standard output belongs to.
    package func note(_ text: String, _ level: Level = .warning) {
        if self.level >= level { Self.write(text + "\n", to: 2) }
    }

    /// Says at standard error why a command failed; as JSON when the results are.
    ///
    /// Further lines are indented: what a message quotes cannot begin another one.
    package static func failure(_ failure: ControlFailure, isJSON: Bool) {
        guard isJSON else {
            // By scalars: a line break after a carriage return is no character of its own.
            let parts = failure.message.unicodeScalars.split(separator: "\n").map(String.init)
            let lines = parts.enumerated().map { index, line in
                index == 0 || line.hasPrefix("  ") ? line : "  \(line)"
            }
            return write("linnet: \(lines.joined(separator: "\n"))\n", to: 2)
        }
        let json: JSON = [
            "error": .text("\(failure.kind)"), "exitCode": .integer(failure.kind.rawValue),
            "message": .text(failure.message),
        ]
        write(json.line + "\n", to: 2)
    }

    /// Draws over the line at standard error; only for a terminal.
    package func progress(_ text: String) {
        Self.draw("\r\u{1b}[K" + TerminalText.neutral(text), to: 2)
    }

    /// Shows a drawing where the words for people go.
    package func draw(_ drawing: String) {
        Self.draw(drawing, to: isJSON ? 2 : 1)
    }

    /// Whether a person can answer: both ends are a terminal.
    package static var hasPerson: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// Whether standard output is a terminal.
    package static var isTerminal: Bool { isatty(1) == 1 }

    /// Rows and columns of the terminal at standard output; 24 and 80 where it does not say.
    package static var terminalSize: (rows: Int, columns: Int) {
        var size = winsize()
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
        else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Whether standard error is a terminal.
    package static var isErrorTerminal: Bool { isatty(2) == 1 }

    private func people(_ text: String) {
        if !text.isEmpty { Self.write(text + "\n", to: isJSON ? 2 : 1) }
    }

    /// Writes all of `text`, with line breaks and without anything else that a terminal obeys; what
    /// a reader that went away did not take is lost.
    package static func write(_ text: String, to descriptor: Int32) {
        draw(TerminalText.neutralLines(text), to: descriptor)
    }

    /// Writes a drawing of the program's own, escape sequences and all.
    package static func draw(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            let start = done
            let written = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                #if canImport(Darwin)
                    return unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
                #else
                    return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                #endif
            }
            if written < 0 {
                if errno == EINTR { continue }
                return
            }
            done += written
        }
    }
}
