import LinnetCRDT

/// Sentences about the errors of schemas.
enum SchemaText {
    /// Returns a sentence that says what is wrong, with the field's name and, for a choice, the
    /// allowed values.
    static func sentence(for error: SchemaError) -> String {
        switch error {
        case .unknownCollection(let name): "there is no collection \"\(name)\""
        case .unknownField(let name): "there is no field \"\(name)\""
        case .wrongCount(let field, let expected): "\(field) needs \(expected) values"
        case .wrongType(let field, let expected): "\(field) must be of type \(expected)"
        case .notAChoice(let field, let allowed):
            "\(field) must be one of \(allowed.joined(separator: ", "))"
        case .badValue(let field):
            "the value of \(field) cannot be stored: it is longer than 64 KiB (65,500 bytes where"
                + " it names what it replaces), or nested too deeply"
        case .badName(let name): "\"\(name)\" is not a valid name in a schema"
        case .duplicateCollection(let name): "the schema has the collection \"\(name)\" twice"
        case .duplicateField(let name): "the schema has the field \"\(name)\" twice"
        case .reservedCollection(let id): "the collection number \(id) is reserved"
        case .reservedField(let name): "the field \"\(name)\" needs a number above 0"
        case .badChoices(let name): "the choices of \"\(name)\" are empty, repeated or illegal"
        case .openReference(let field, let target):
            "\(field) refers to \(target), which a replica may hold without: "
                + "put \(target) into a scope that every replica holds, or both into one scope"
        case .notForLogs(let field):
            "\(field) belongs to a log, whose fields are single values or groups"
        case .wrongKind(let field, let kind): "\(field) is of the kind \(kind): write it as such"
        case .notIndexable(let field, let index):
            "\(field) cannot have a \(index.rawValue) index: groups and texts have none, "
                + "and the places of an order only a clear one"
        case .badCursor: "the place to go on from belongs to another query"
        case .badFill(let field, let reason): "\(field) cannot be filled: \(reason)"
        case .badEdit(let field, let length, let unit):
            "the edit lies outside of \(field), which has \(length) \(unit.words)"
        case .tornScalar(let field):
            "the edit of \(field) begins or ends within a character, between two code units"
        case .notShown(let field):
            "the editor speaks of a state of \(field) that it was not shown last"
        case .noFigure(let field, let reason): "there is no such figure of \(field): \(reason)"
        case .overflow(let field):
            "the figure of \(field) is larger, or has more digits, than a value holds"
        case .wrongIdentifier(let id, let expected):
            "the identifier \"\(id)\" must begin with \(expected)"
        case .immutable(let name): "records of \(name) are written once and stay as they are"
        case .neverDeleted(let name): "records of \(name) are never deleted"
        case .emptyGroup(let name): "the group \"\(name)\" has no member"
        case .retired(let name): "\(name) is declared, and its number is retired: choose one"
        case .missingType(let name):
            "the field \"\(name)\" does not give the type of its values"
        }
    }

    /// Returns a sentence that says what to do.
    static func remedy(for error: SchemaError) -> String {
        switch error {
        case .immutable: "Write a new record under another identifier."
        case .neverDeleted: "Change its fields instead."
        case .badEdit(_, let length, _):
            "Say a place from 0 to \(length), and not more than follows it."
        case .tornScalar: "Say a place before or after both code units."
        case .notShown: "Name the change that was applied last, or wait for the next one."
        case .noFigure: "Ask for another figure, or name another field."
        case .overflow: "Narrow the condition, or group the records, so that less is added up."
        case .badCursor: "Take the place that the same query gave, or begin without one."
        case .wrongIdentifier: "Choose an identifier that begins like that."
        case .badValue: "Shorten the value, or divide it among several records."
        default: "Correct the collection, the field or the value."
        }
    }
}

extension TextUnit {
    /// The unit in words, for several.
    fileprivate var words: String {
        switch self {
        case .characters: "characters"
        case .scalars: "scalars"
        case .utf16: "UTF-16 code units"
        }
    }
}
