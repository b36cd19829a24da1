package import Linnet
package import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The output of a command: results go to standard output; what is for people goes there too, or to
/// standard error when the results are JSON.
///
/// All text is made harmless for a terminal here, whoever wrote it. Only ``draw(_:to:)``, for the
/// program's own drawings, lets escape sequences through.
package struct Output: Sendable {
    /// The amount that is told to people.
    package enum Level: String, CaseIterable, Comparable, Sendable {
        /// Errors alone.
        case error
        /// Errors and warnings.
        case warning
        /// Errors, warnings and what happens.
        case info
        /// All of that, with its details.
        case debug

        /// Orders levels by how much they tell.
        package static func < (left: Level, right: Level) -> Bool {
            rank(left) < rank(right)
        }

        private static func rank(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
    }

    /// True when results are JSON.
    package let isJSON: Bool
    /// The amount that is told to people.
    package let level: Level
    /// True when a long command tells its progress even where no terminal is.
    package let tellsProgress: Bool

    /// Chooses the form of results and the amount that is told.
    package init(isJSON: Bool, level: Level = .info, tellsProgress: Bool = false) {
        self.isJSON = isJSON
        self.level = level
        self.tellsProgress = tellsProgress
    }

    /// Writes a result to standard output, as JSON or as text.
    package func result(_ json: JSON, _ text: @autoclosure () -> String) {
        if isJSON { Self.write(json.line + "\n", to: 1) } else { people(text()) }
    }

    /// Writes text for people to standard output, or to standard error when the results are JSON.
    package func say(at level: Level = .info, _ text: String) {
        if self.level >= level { people(text) }
    }

    /// Writes a note to standard error.
    package func note(_ text: String, _ level: Level = .warning) {
        if self.level >= level { Self.write(text + "\n", to: 2) }
    }

    /// Writes the reason why a command failed to standard error, as JSON when the results are.
    ///
    /// Further lines are indented, so that no text quoted in a message can begin another one.
    package static func failure(_ failure: ControlFailure, isJSON: Bool) {
        guard isJSON else {
            // The split is by scalars: a line break after a carriage return is not a character of
            // its own.
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

    /// Draws over the current line of standard error; only for a terminal.
    package func progress(_ text: String) {
        Self.draw("\r\u{1b}[K" + TerminalText.neutral(text), to: 2)
    }

    /// Writes a drawing to where the words for people go.
    package func draw(_ drawing: String) {
        Self.draw(drawing, to: isJSON ? 2 : 1)
    }

    /// True when a person can answer: standard input and standard error are a terminal.
    package static var hasPerson: Bool { isatty(0) == 1 && isatty(2) == 1 }

    /// True when standard output is a terminal.
    package static var isTerminal: Bool { isatty(1) == 1 }

    /// The rows and columns of the terminal at standard output; 24 and 80 when it does not tell.
    package static var terminalSize: (rows: Int, columns: Int) {
        var size = winsize()
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
        else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// True when standard error is a terminal.
    package static var isErrorTerminal: Bool { isatty(2) == 1 }

    private func people(_ text: String) {
        if !text.isEmpty { Self.write(text + "\n", to: isJSON ? 2 : 1) }
    }

    /// Writes all of `text` with its line breaks, and without anything else that a terminal obeys.
    /// Text that a reader did not take before it went away is lost.
    package static func write(_ text: String, to descriptor: Int32) {
        draw(TerminalText.neutralLines(text), to: descriptor)
    }

    /// Writes one of the program's own drawings, with its escape sequences.
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
