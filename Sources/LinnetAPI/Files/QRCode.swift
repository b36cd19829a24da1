import CQREncode

/// Draws QR codes, for a terminal and as pictures.
package enum QRCode {
    /// Draws `text` as a QR code with its quiet zone, two rows of modules in a line, black on white
    /// whatever the terminal's colours are; returns nil when the text is too long.
    package static func drawing(of text: String) -> String? {
        guard let modules = modules(of: text) else { return nil }
        let margin = 4
        let range = -margin..<(modules.count + margin)
        func isDark(_ row: Int, _ column: Int) -> Bool {
            modules.indices.contains(row) && modules.indices.contains(column)
                && modules[row][column]
        }
        var drawing = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            drawing += "\u{1b}[30;47m"
            for column in range {
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): drawing += "█"
                case (true, false): drawing += "▀"
                case (false, true): drawing += "▄"
                case (false, false): drawing += " "
                }
            }
            drawing += "\u{1b}[0m\n"
        }
        return drawing
    }

    /// Returns `text` as a QR code with its quiet zone, black on white, as an SVG picture; nil when
    /// the text is too long.
    package static func picture(of text: String) -> String? {
        guard let modules = modules(of: text) else { return nil }
        let margin = 4
        let side = modules.count + 2 * margin
        var path = ""
        for (row, line) in modules.enumerated() {
            for (column, isDark) in line.enumerated() where isDark {
                path += "M\(column + margin) \(row + margin)h1v1h-1z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" \
            shape-rendering="crispEdges"><title>QR code</title>\
            <rect width="\(side)" height="\(side)" fill="#fff"/>\
            <path d="\(path)" fill="#000"/></svg>
            """
    }

    /// Returns the modules row by row, true for a dark one. Capital letters and digits are packed
    /// closely where `isPacked`; the case of letters stays.
    package static func modules(of text: String, isPacked: Bool = false) -> [[Bool]]? {
        let made =
            unsafe isPacked
            ? QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
            : QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        guard let code = unsafe made else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        guard let data = unsafe code.pointee.data else { return nil }
        return (0..<width).map { row in
            (0..<width).map { column in unsafe data[row * width + column] & 1 == 1 }
        }
    }
}
