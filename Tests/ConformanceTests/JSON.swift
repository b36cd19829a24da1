import LinnetWire

/// A JSON item whose objects keep the order of their keys: the same facts are the same file.
indirect enum JSON {
    case null
    case bool(Bool)
    case number(Int64)
    case text(String)
    case array([JSON])
    case object([(String, JSON)])

    /// Bytes, as lower-case hexadecimal.
    static func hex(_ bytes: [UInt8]) -> JSON { .text(Hex.encode(bytes)) }

    /// The file's text: two spaces a level, short arrays and objects on one line.
    var file: String { written(indent: 0) + "\n" }

    private func written(indent: Int) -> String {
        let line = oneLine
        if line.utf8.count + indent <= 100 { return line }
        let inner = String(repeating: " ", count: indent + 2)
        let outer = String(repeating: " ", count: indent)
        switch self {
        case .array(let items):
            let lines = items.map { inner + $0.written(indent: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
        case .object(let pairs):
            let lines = pairs.map { key, item in
                inner + JSON.quoted(key) + ": " + item.written(indent: indent + 2)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
        default: return line
        }
    }

    private var oneLine: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .text(let value): JSON.quoted(value)
        case .array(let items): "[" + items.map(\.oneLine).joined(separator: ", ") + "]"
        case .object(let pairs):
            "{"
                + pairs.map { JSON.quoted($0.0) + ": " + $0.1.oneLine }.joined(separator: ", ")
                + "}"
        }
    }

    /// ASCII alone: everything else is escaped, so that no editor changes it.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: out += "\\\""
            case 0x5c: out += "\\\\"
            case 0x20..<0x7f: out += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return out + "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int64) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

    /// A number, or its digits as text from 2^53 on, where readers of JSON lose some.
    init(_ number: UInt64) {
        self = number < 1 << 53 ? .number(Int64(number)) : .text(String(number))
    }

    /// The object with more pairs behind.
    func with(_ pairs: (String, JSON)...) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own + pairs)
    }
}
