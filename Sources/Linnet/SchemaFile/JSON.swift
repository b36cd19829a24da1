import LinnetWire

/// A JSON value (RFC 8259) whose numbers keep their digits and whose members keep their order.
package enum JSON: Equatable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    /// A string.
    case text(String)
    /// An array.
    case array([JSON])
    /// An object; no name occurs twice.
    case object([Member])

    /// One member of an object.
    package struct Member: Equatable, Sendable {
        /// The name of the member.
        package var name: String
        /// The value of the member.
        package var value: JSON

        /// Joins name and value.
        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// One step from a value to a value inside it.
    package enum Step: Equatable, Sendable {
        /// The member of an object with this name.
        case member(String)
        /// An element of an array, from 0.
        case element(Int)
    }

    /// Returns the member of an object; nil for other values and names.
    package subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The content of a string; nil for other values.
    package var string: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value on one line, without any character that a terminal would obey.
    package var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .text(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { Self.quoted($0.name) + ":" + $0.value.line }.joined(separator: ",")
                + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        quoted.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == 0x22 || byte == 0x5c { quoted.append(0x5c) }
            quoted.append(byte)
        }
        let text = String(decoding: quoted, as: UTF8.self)
        return "\"" + HiddenCharacters.replaced(in: text, by: escape) + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default:
            // A character above U+FFFF becomes the two halves of a surrogate pair (RFC 8259,
            // section 7).
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    /// A string.
    package init(stringLiteral value: String) { self = .text(value) }
    /// `true` or `false`.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    /// An array.
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0, $1) })
    }

    /// Returns a whole number.
    package static func integer(_ value: some BinaryInteger) -> JSON { .number(String(value)) }
}
