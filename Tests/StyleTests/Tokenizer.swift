/// Splits Swift source into tokens, so that no rule mistakes a comment or a string for code.
/// Knows nested comments, raw and multi-line strings and interpolation; not regular expressions.
struct Tokenizer {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var spaced = true
    private var tokens: [Token] = []

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func tokens(of text: String) -> [Token] {
        var tokenizer = Tokenizer(text)
        while tokenizer.index < tokenizer.bytes.count { tokenizer.scan() }
        return tokenizer.tokens
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private func starts(with text: StaticString) -> Bool {
        text.description.utf8.enumerated().allSatisfy { byte($0.offset) == $0.element }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private mutating func add(_ kind: Token.Kind, _ text: String, line: Int) {
        tokens.append(Token(kind: kind, text: text, line: line, spaced: spaced))
        spaced = false
    }

    private mutating func scan() {
        guard let next = byte() else { return }
        if next == UInt8(ascii: " ") || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\t") {
            spaced = true
            advance()
        } else if starts(with: "//") {
            scanLineComment()
        } else if starts(with: "/*") {
            scanBlockComment()
        } else if let pounds = poundsBeforeQuote() {
            scanString(pounds: pounds)
        } else if next == UInt8(ascii: "`") {
            scanRawIdentifier()
        } else if isWord(next) {
            scanWord(next)
        } else {
            add(.punctuation, String(UnicodeScalar(next)), line: line)
            advance()
        }
    }

    private mutating func scanLineComment() {
        let isDocumentation = starts(with: "///")
        let start = index
        let startLine = line
        while let next = byte(), next != UInt8(ascii: "\n") { advance() }
        if isDocumentation { add(.documentation, text(from: start), line: startLine) }
        spaced = true
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                advance(2)
            } else if starts(with: "*/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && byte() != nil
        spaced = true
    }

    /// The number of `#` before a quote, nil when no string starts here.
    private func poundsBeforeQuote() -> Int? {
        var count = 0
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        return byte(count) == UInt8(ascii: "\"") ? count : nil
    }

    private mutating func scanString(pounds: Int) {
        add(.string, "", line: line)
        advance(pounds)
        let isMultiline = starts(with: "\"\"\"")
        let quotes = isMultiline ? 3 : 1
        advance(quotes)
        while byte() != nil {
            if closes(quotes: quotes, pounds: pounds) {
                advance(quotes + pounds)
                return
            }
            if byte() == UInt8(ascii: "\\"), hasPounds(pounds, at: 1) {
                if byte(1 + pounds) == UInt8(ascii: "(") {
                    advance(2 + pounds)
                    scanInterpolation()
                } else {
                    advance(2 + pounds)
                }
            } else {
                advance()
            }
        }
    }

    private mutating func scanInterpolation() {
        var depth = 1
        while depth > 0, let next = byte() {
            if next == UInt8(ascii: "(") { depth += 1 }
            if next == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 {
                advance()
            } else {
                scan()
            }
        }
    }

    private func closes(quotes: Int, pounds: Int) -> Bool {
        (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && hasPounds(pounds, at: quotes)
    }

    private func hasPounds(_ pounds: Int, at offset: Int) -> Bool {
        (0..<pounds).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    private mutating func scanRawIdentifier() {
        let startLine = line
        advance()
        let start = index
        while let next = byte(), next != UInt8(ascii: "`") { advance() }
        add(.rawIdentifier, text(from: start), line: startLine)
        advance()
    }

    private mutating func scanWord(_ first: UInt8) {
        let start = index
        while let next = byte(), isWord(next) { advance() }
        let isNumber = first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9")
        add(isNumber ? .number : .identifier, text(from: start), line: line)
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
