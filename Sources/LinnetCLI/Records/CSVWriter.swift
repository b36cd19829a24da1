/// Writes comma-separated values (RFC 4180) that ``CSVReader`` reads back as they were.
package enum CSVWriter {
    /// A line; a cell without a value stays empty, one with an empty text is written in quotes.
    package static func line(_ cells: [String?]) -> String {
        cells.map { $0.map(cell) ?? "" }.joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        let needsQuotes =
            text.isEmpty
            || text.utf8.contains { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }
        guard needsQuotes else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
