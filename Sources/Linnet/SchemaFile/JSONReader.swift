/// Reads one JSON value (RFC 8259) from a text; a failure names the place of the mistake.
package struct JSONReader {
    /// A mistake in the text, and its place.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte at which the mistake is, from 0.
        package var offset: Int
        /// A sentence on the mistake.
        package var message: String
    }

    private static let depthLimit = 32
    private let bytes: [UInt8]
    private var offset = 0

    /// The place of the reader, and the place that it looks for.
    private var path: [JSON.Step] = []
    private var sought: [JSON.Step]?
    private var found: Int?

    private init(_ bytes: [UInt8], sought: [JSON.Step]? = nil) {
        self.bytes = bytes
        self.sought = sought
    }

    /// Reads the value that `bytes` consists of.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> JSON {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        if reader.offset < bytes.count { throw reader.failure("unexpected text after the value") }
        return value
    }

    /// Returns the byte at which a value inside the value in `bytes` begins; nil when it is not
    /// there.
    package static func offset(of path: [JSON.Step], in bytes: [UInt8]) -> Int? {
        var reader = JSONReader(bytes, sought: path)
        _ = try? reader.value(depth: 0)
        return reader.found
    }

    private func failure(_ message: String) -> Failure {
        Failure(offset: offset, message: message)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || (0x09...0x0d).contains(byte) { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = current, UInt32(byte) == character.value else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSON {
        skipSpace()
        if depth > Self.depthLimit { throw failure("nested too deeply") }
        if path == sought { found = offset }
        switch current.map({ Unicode.Scalar($0) }) {
        case "{": return try object(depth: depth)
        case "[": return try array(depth: depth)
        case "\"": return .text(try text())
        case "t": return try word("true", .bool(true))
        case "f": return try word("false", .bool(false))
        case "n": return try word("null", .null)
        case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": return try number()
        case nil: throw failure("a value is missing")
        default: throw failure("no JSON value begins like this")
        }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(Failure) -> JSON {
        guard bytes[offset...].starts(with: word.utf8) else {
            throw failure("no JSON value begins like this")
        }
        offset += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(Failure) -> JSON {
        offset += 1
        var members: [JSON.Member] = []
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard current == 0x22 else { throw failure("a member's name is missing") }
            let start = offset
            let name = try text()
            if members.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                offset = start
                throw failure("the name '\(name)' occurs twice")
            }
            skipSpace()
            guard take(":") else { throw failure("':' is missing") }
            path.append(.member(name))
            members.append(JSON.Member(name, try value(depth: depth + 1)))
            path.removeLast()
            skipSpace()
        } while take(",")
        guard take("}") else { throw failure("',' or '}' is missing") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSON {
        offset += 1
        var values: [JSON] = []
        skipSpace()
        if take("]") { return .array(values) }
        repeat {
            path.append(.element(values.count))
            values.append(try value(depth: depth + 1))
            path.removeLast()
            skipSpace()
        } while take(",")
        guard take("]") else { throw failure("',' or ']' is missing") }
        return .array(values)
    }

    private mutating func number() throws(Failure) -> JSON {
        let start = offset
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func digits() throws(Failure) {
        let start = offset
        while let byte = current, (0x30...0x39).contains(byte) { offset += 1 }
        if offset == start { throw failure("a digit is missing") }
    }

    private mutating func text() throws(Failure) -> String {
        offset += 1
        var content: [UInt8] = []
        while true {
            guard let byte = current else { throw failure("the closing '\"' is missing") }
            switch byte {
            case 0x22:
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw failure("the text is not UTF-8")
                }
                offset += 1
                return text
            case 0x5c: content += String(try escaped()).utf8
            case 0..<0x20: throw failure("a control character must be written as an escape")
            default:
                content.append(byte)
                offset += 1
            }
        }
    }

    private mutating func escaped() throws(Failure) -> Unicode.Scalar {
        let start = offset
        offset += 1
        let letter = current.map { Unicode.Scalar($0) }
        offset += 1
        switch letter {
        case "\"", "\\", "/": return letter ?? "/"
        case "b": return "\u{08}"
        case "f": return "\u{0c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": break
        default:
            offset = start
            throw failure("there is no such escape")
        }
        var code = try hexadecimal(start)
        if (0xd800..<0xdc00).contains(code), take("\\"), take("u") {
            let low = try hexadecimal(start)
            guard (0xdc00..<0xe000).contains(low) else {
                offset = start
                throw failure("half of a surrogate pair is missing")
            }
            code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            offset = start
            throw failure("half of a surrogate pair is missing")
        }
        return scalar
    }

    private mutating func hexadecimal(_ start: Int) throws(Failure) -> UInt32 {
        let digits = bytes.dropFirst(offset).prefix(4)
        let isHex = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        guard digits.count == 4, isHex,
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            offset = start
            throw failure("four hexadecimal digits are missing")
        }
        offset += 4
        return code
    }
}
