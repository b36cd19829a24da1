package import Linnet
package import LinnetCRDT
package import LinnetControl

/// One word of the form `FIELD=VALUE`, `FIELD+=VALUE` or `FIELD-=VALUE`, read by the kind of the
/// field.
package struct Assignment: Equatable, Sendable {
    private enum Sign: String {
        case set = "="
        case add = "+="
        case remove = "-="
    }

    private let column: Column
    private let sign: Sign
    private let text: String
    private let key: String?

    /// Returns the requests that words make of a record; `key` is that of every count without one
    /// of its own.
    package static func requests(
        _ words: some Sequence<String>, of record: RecordKey, _ collection: Collection,
        key: String? = nil
    ) throws(ControlFailure) -> [WriteRequest] {
        var assignments: [Assignment] = []
        for word in words {
            let made = try Assignment(word, collection, key: key)
            let isGiven = assignments.contains { made.isSame(as: $0) }
            if isGiven { throw .usage("a field is given twice: \(TerminalText.neutral(word))") }
            assignments.append(made)
        }
        if assignments.isEmpty { throw .usage("missing argument FIELD=VALUE") }
        if collection.kind == .log {
            let cells = try cells(assignments)
            return [.changes(Write(record, [.insert(cells.whole(collection))]))]
        }
        var set: [ColumnValue] = []
        var others: [Change] = []
        var counts: [WriteRequest] = []
        for made in assignments {
            if let value = try made.plain() {
                set.append(value)
            } else if let amount = try made.amount(), made.key == nil {
                counts.append(.count(record, field: made.column.field.id, amount: amount))
            } else {
                others += try made.change()
            }
        }
        let changes = set.changes + others
        return (changes.isEmpty ? [] : [.changes(Write(record, changes))]) + counts
    }

    private init(_ word: String, _ collection: Collection, key: String?) throws(ControlFailure) {
        guard let equals = word.firstIndex(of: "=") else {
            throw .usage("'\(TerminalText.neutral(word))' is not of the form FIELD=VALUE")
        }
        var name = word[..<equals]
        switch name.last {
        case "+": sign = .add
        case "-": sign = .remove
        default: sign = .set
        }
        if sign != .set { name.removeLast() }
        column = try Column.named(String(name), in: collection)
        var text = word[word.index(after: equals)...]
        var own: String?
        if column.field.kind.form == .amount, sign != .set, let at = text.firstIndex(of: "@") {
            own = String(text[text.index(after: at)...])
            text = text[..<at]
        }
        if let own, RecordID(own) == nil { throw .usage("a key must have 1 to 64 bytes: '@KEY'") }
        self.key = own ?? key
        self.text = String(text)
    }

    /// Returns true when the two exclude each other: they name one column, and one of them sets it.
    private func isSame(as other: Assignment) -> Bool {
        column == other.column && (sign == .set || other.sign == .set)
    }

    /// The fields that a plain value sets; nil for other changes.
    private func plain() throws(ControlFailure) -> ColumnValue? {
        switch column.field.kind.form {
        case .single, .members, .several:
            guard sign == .set else {
                throw .usage(
                    "\(column.name) holds one value: write \(column.name)=VALUE,"
                        + " not \(sign.rawValue)"
                )
            }
            if text.isEmpty { return column.set(to: .null) }
            return column.set(to: try ValueText.parse(text, for: column))
        case .file:
            guard sign == .set, text.isEmpty else {
                throw .usage("\(column.name) is a file: use 'linnet attach'")
            }
            return column.set(to: .null)
        case .amount, .elements, .text, .place: return nil
        }
    }

    /// The amount that is added to a tally; nil for other changes.
    private func amount() throws(ControlFailure) -> Value? {
        guard column.field.kind.form == .amount, sign != .set else { return nil }
        return sign == .add ? try number() : Self.negative(try number())
    }

    private func change() throws(ControlFailure) -> [Change] {
        let (name, field) = (column.name, column.field.id)
        switch (column.field.kind.form, sign) {
        case (.amount, .set): return [.recount(field: field, try number())]
        case (.amount, _):
            guard let key, let amount = try amount() else { return [] }
            return [.count(field: field, key: key, amount: amount)]
        case (.elements, .add):
            return [.add(field: field, try ValueText.parse(text, for: column))]
        case (.elements, .remove):
            return [.remove(field: field, try ValueText.parse(text, for: column))]
        case (.elements, .set):
            throw .usage("\(name) is a set: write \(name)+=VALUE or \(name)-=VALUE")
        case (.text, .set): return [.rewrite(field: field, text)]
        case (.text, _):
            throw .usage("\(name) is a text: write \(name)=TEXT or use 'linnet edit'")
        case (.place, _):
            throw .usage("\(name) is a place among records: use 'linnet move'")
        case (.single, _), (.members, _), (.several, _), (.file, _): return []
        }
    }

    private func number() throws(ControlFailure) -> Value {
        try ValueText.parse(text, for: column)
    }

    private static func negative(_ value: Value) -> Value {
        switch value {
        case .int(let number): .int(0 &- number)
        case .decimal(let number):
            .decimal(Decimal64(mantissa: 0 &- number.mantissa, exponent: number.exponent) ?? number)
        default: value
        }
    }

    /// The values of a log's record.
    private static func cells(
        _ assignments: [Assignment]
    ) throws(ControlFailure) -> [ColumnValue] {
        var given: [ColumnValue] = []
        for made in assignments {
            if let value = try made.plain(), value.value != .null { given.append(value) }
        }
        return given
    }
}
