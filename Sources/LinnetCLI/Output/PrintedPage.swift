/// Draws pages to print: A4, in tenths of a millimetre.
enum PrintedPage {
    /// A page with what is drawn on it; programs find `description` in it.
    static func document(_ body: String, description: String = "") -> String {
        let described = description.isEmpty ? "" : "  <desc>\(escaped(description))</desc>\n"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2100 2970" width="210mm" \
            height="297mm">
            \(described)  <rect width="2100" height="2970" fill="white"/>
            \(body)</svg>

            """
    }

    /// A line of text.
    static func text(_ text: String, x: Int, y: Int, size: Int) -> String {
        """
          <text x="\(x)" y="\(y)" font-size="\(size)" font-family="sans-serif">\(escaped(text))\
        </text>

        """
    }

    /// A QR code with its quiet zone in a square; each run of dark modules in a row is one piece.
    static func code(_ modules: [[Bool]], x: Int, y: Int, side: Int) -> String {
        var path = ""
        for (row, line) in modules.enumerated() {
            var column = 0
            while column < line.count {
                let start = column
                while column < line.count, line[column] { column += 1 }
                if column > start {
                    path += "M\(start + 4) \(row + 4)h\(column - start)v1h-\(column - start)z"
                }
                column += 1
            }
        }
        let thousandths = side * 1_000 / (modules.count + 8)
        let rest = String(thousandths % 1_000 + 1_000).dropFirst()
        return """
              <path transform="translate(\(x) \(y)) scale(\(thousandths / 1_000).\(rest))" \
            shape-rendering="crispEdges" d="\(path)"/>

            """
    }

    private static func escaped(_ text: String) -> String {
        var safe = ""
        for character in text {
            switch character {
            case "<": safe += "&lt;"
            case "&": safe += "&amp;"
            default: safe.append(character)
            }
        }
        return safe
    }
}
