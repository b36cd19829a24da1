import Linnet
import LinnetAPI

/// Writes comma-separated values (RFC 4180).
package enum CSVWriter {
    /// The reader for whom the file is written.
    package enum Reader: Sendable {
        /// A program: ``CSVReader`` reads the cells back as they were.
        case machine
        /// A person with a spreadsheet: no cell is a formula, and none hides anything.
        case person
    }

    /// Returns a line, with its line break. A cell without a value stays empty; an empty text is
    /// written in quotes.
    package static func line(_ cells: [String?], for reader: Reader = .machine) -> String {
        let written = cells.map { cell in
            guard let cell else { return "" }
            switch reader {
            case .machine: return Self.cell(cell)
            // A spreadsheet with another separator would begin a cell in the middle of one without
            // quotes.
            case .person: return quoted(harmless(cell))
            }
        }
        return written.joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        let needsQuotes =
            text.isEmpty
            || text.utf8.contains { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }
        return needsQuotes ? quoted(text) : text
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    // MARK: Spreadsheets

    /// The characters that begin a formula, wide forms included, and those that are skipped before
    /// one.
    private static let starts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}",
    ]

    /// Returns text that a spreadsheet does not carry out: an apostrophe stands before a formula,
    /// and hidden characters become escapes. A plain number stays a number.
    private static func harmless(_ text: String) -> String {
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace || starts.contains($0) }
        let shown = TerminalText.neutralLines(text)
        guard let first, starts.contains(first), !isNumber(text) else { return shown }
        return "'" + shown
    }

    private static func isNumber(_ text: String) -> Bool {
        text.hasPrefix("-") && text.dropFirst().first.map { $0.isASCII && $0.isNumber } == true
            && NumberText(text) != nil
    }
}
