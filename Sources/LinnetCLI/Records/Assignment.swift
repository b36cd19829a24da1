package import Linnet
package import LinnetCRDT

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

    /// Reads the changes from words; `key` belongs to every count without a key of its own.
    package static func changes(
        _ words: some Sequence<String>, _ collection: Collection, key: String? = nil
    ) throws(ControlFailure) -> [ControlChange] {
        var assignments: [Assignment] = []
        for word in words {
            let made = try Assignment(word, collection, key: key)
            let isGiven = assignments.contains { made.isSame(as: $0) }
            if isGiven { throw .usage("a field is given twice: \(TerminalText.neutral(word))") }
            assignments.append(made)
        }
        if assignments.isEmpty { throw .usage("missing argument FIELD=VALUE") }
        if collection.kind == .log { return [.insert(try cells(assignments, collection))] }
        var set: [ControlField] = []
        var others: [ControlChange] = []
        for made in assignments {
            if let field = try made.field() {
                set.append(field)
            } else {
                others += try made.change()
            }
        }
        return (set.isEmpty ? [] : [.set(set)]) + others
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

    /// Returns the value that a plain field is set to; nil for other kinds of fields.
    private func field() throws(ControlFailure) -> ControlField? {
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
        case .amount, .elements, .text, .place: return nil
        }
    }

    private func change() throws(ControlFailure) -> [ControlChange] {
        let (name, field) = (column.name, column.field.id)
        switch (column.field.kind.form, sign) {
        case (.amount, .set): return [.recount(field: field, try number())]
        case (.amount, .add): return [.count(field: field, key: key, amount: try number())]
        case (.amount, .remove):
            return [.count(field: field, key: key, amount: Self.negative(try number()))]
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
        case (.single, _), (.members, _), (.several, _): return []
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

    /// Returns all values of a log's record, with every member of a group.
    private static func cells(
        _ assignments: [Assignment], _ collection: Collection
    ) throws(ControlFailure) -> [ControlField] {
        var given: [ControlField] = []
        for made in assignments {
            if let field = try made.field(), field.value != .null { given.append(field) }
        }
        return collection.whole(given)
    }
}

extension Collection {
    /// Returns the values, with null for each member that is missing from a group that is given.
    package func whole(_ given: [ControlField]) -> [ControlField] {
        fields.flatMap { field -> [ControlField] in
            guard given.contains(where: { $0.field == field.id }) else { return [] }
            return field.members.indices.map { member in
                given.first { $0.field == field.id && $0.member == member }
                    ?? Column(field: field, member: member).set(to: .null)
            }
        }
    }
}
