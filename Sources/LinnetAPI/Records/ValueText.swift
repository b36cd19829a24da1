package import Linnet
package import LinnetCRDT
package import LinnetControl
import LinnetWire

/// Reads and writes values as people type and read them.
package enum ValueText {
    /// Reads a value of a column; the failure says what the column allows.
    package static func parse(_ text: String, for column: Column) throws(ControlFailure) -> Value {
        if let value = value(of: text, column.type) { return value }
        let shown = TerminalText.neutral(String(text.prefix(64)))
        let limits = NumberText(text) == nil ? "" : range(of: column.type)
        throw .usage("\(column.name) must be \(allowed(column.type))\(limits), not '\(shown)'")
    }

    /// Reads a value of a column from JSON; the failure says what the column allows.
    package static func parse(_ json: JSON, for column: Column) throws(ControlFailure) -> Value {
        switch (json, column.type) {
        case (.null, _): return .null
        case (.text(let text), _): return try parse(text, for: column)
        case (.number(let digits), .int), (.number(let digits), .decimal):
            // A program that knows only doubles writes 1.0 or 1e3 for a whole number.
            let plain = NumberText(digits)?.plain ?? digits
            return try parse(value(of: plain, column.type) == nil ? digits : plain, for: column)
        case (.number(let digits), .double): return try parse(digits, for: column)
        case (.bool(let value), .bool): return .bool(value)
        case (.array(let elements), _)
        where column.field.kind.form == .elements
            || column.field.kind.form == .several && elements.count > 1:
            var values: [Value] = []
            for element in elements { values.append(try parse(element, for: column)) }
            return .list(values)
        default:
            throw .usage("\(column.name) must be \(allowed(column.type)), not \(json.line)")
        }
    }

    /// Reads a cell of a file. A set, or several concurrent values, may be a JSON array; the
    /// elements of a set may also be separated by semicolons.
    package static func parse(
        cell text: String, for column: Column
    ) throws(ControlFailure) -> Value {
        let form = column.field.kind.form
        guard form == .elements || form == .several else { return try parse(text, for: column) }
        if text.hasPrefix("["), let json = try? JSONReader.read(Array(text.utf8)) {
            if case .array(let elements) = json, form == .several, elements.count == 1 {
                return try parse(elements[0], for: column)
            }
            return try parse(json, for: column)
        }
        if form == .several { return try parse(text, for: column) }
        var values: [Value] = []
        for part in text.split(separator: ";") {
            let element = String(part.drop { $0 == " " })
            values.append(try parse(element, for: column))
        }
        return .list(values)
    }

    /// Returns a value as a cell that ``parse(cell:for:)`` reads back.
    package static func cell(_ value: Value, of column: Column) -> String {
        switch (value, column.field.kind.form) {
        case (.list, _): return json(value).line
        case (.text(let text), .several) where text.hasPrefix("["):
            return JSON.array([.text(text)]).line
        default: return value.description
        }
    }

    /// Returns a value as JSON; whole and decimal numbers keep their digits.
    package static func json(_ value: Value) -> JSON {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .integer(value)
        case .decimal(let value): .number(value.description)
        case .list(let values): FileValue(value).map(json) ?? .array(values.map(json))
        // JSON has no infinities, so doubles are texts too.
        case .double, .text, .bytes, .instant, .date: .text(value.description)
        }
    }

    /// Returns a file as JSON, without what leads to its content.
    private static func json(_ file: FileValue) -> JSON {
        .object([
            JSON.Member("name", .text(file.name)),
            JSON.Member("type", .text(file.mediaType)),
            JSON.Member("size", .integer(Int64(clamping: file.size))),
            JSON.Member("hash", .text(Hex.encode(file.digest))),
        ])
    }

    /// Returns a value for people; the elements of a list are joined by the separator.
    package static func text(_ value: Value, _ separator: String = ", ") -> String {
        guard case .list(let values) = value, FileValue(value) == nil else {
            return value.description
        }
        return values.map(\.description).joined(separator: separator)
    }

    /// Returns what a type allows, as the words after "must be".
    package static func allowed(_ type: ValueType) -> String {
        switch type {
        case .text: "text"
        case .int: "a whole number"
        case .decimal: "a decimal number such as 2.5"
        case .bool: "true or false"
        case .date: "a date such as 2025-03-31"
        case .instant: "a time such as 2025-03-31T08:00:00.000Z"
        case .bytes: "an even number of hexadecimal digits"
        case .double: "a number such as 2.5"
        case .reference: "the identifier of a record"
        case .file: "a file, which 'linnet attach' writes"
        case .choice(let values): "one of " + values.joined(separator: ", ")
        }
    }

    /// Returns the range of a number type, as the words after what it allows.
    private static func range(of type: ValueType) -> String {
        switch type {
        case .int: " from \(Int64.min) to \(Int64.max)"
        case .decimal: " with at most 18 digits"
        default: ""
        }
    }

    private static func value(of text: String, _ type: ValueType) -> Value? {
        switch type {
        case .text: .text(text)
        case .int: Int64(text).map(Value.int)
        case .decimal: Decimal64(parsing: text).map(Value.decimal)
        case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case .date: Value(date: text)
        case .instant: Value(instant: text)
        case .bytes: Hex.decode(text).map(Value.bytes)
        case .double: Double(text).flatMap { $0.isNaN ? nil : .double($0) }
        case .reference: RecordID(text) == nil ? nil : .text(text)
        case .file: nil
        case .choice(let values): values.contains(text) ? .text(text) : nil
        }
    }
}
