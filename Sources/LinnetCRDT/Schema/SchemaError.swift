/// The reason why a schema, or a value for one of its fields, is refused.
public enum SchemaError: Error, Equatable, Sendable {
    /// A name is empty, longer than 64 bytes or holds a control character.
    case badName(String)
    /// Two collections share a number or a name.
    case duplicateCollection(String)
    /// Two fields of a collection, or two members of a group, share a number or a name; or a record
    /// of a log is given one field twice.
    case duplicateField(String)
    /// A collection with a number below 2000 is none of Linnet's own, or is retired.
    case reservedCollection(UInt32)
    /// A collection or a field is both declared and retired.
    case retired(String)
    /// A field, or a retired one, has the number 0.
    case reservedField(String)
    /// A choice lists no value, one twice, or one that is no legal name.
    case badChoices(String)
    /// A group has no member.
    case emptyGroup(String)
    /// A field that is no group, no text and no order does not give the type of its values.
    case missingType(String)
    /// A reference leads to a collection that a replica may lack while it holds the record that
    /// refers to it.
    case openReference(field: String, to: String)
    /// A field of a log is neither a single value nor a group.
    case notForLogs(field: String)
    /// Records cannot be found by a field of this kind in this way.
    case notIndexable(field: String, as: FieldIndex)
    /// A field is written in a way that its kind does not know.
    case wrongKind(field: String, kind: String)
    /// An edit lies outside a text, which has a length of `length` in the unit of the edit.
    case badEdit(field: String, length: Int, unit: TextUnit = .characters)
    /// An edit begins or ends between the two UTF-16 code units of one scalar.
    case tornScalar(field: String)
    /// An editor speaks of a state of a text that it was not shown last.
    case notShown(field: String)
    /// A figure was asked for that a field does not give, for the reason given.
    case noFigure(field: String, reason: String)
    /// A sum of a field is larger, or has more digits, than its type holds.
    case overflow(field: String)
    /// A field cannot be filled from another one, for the reason given.
    case badFill(field: String, reason: String)
    /// An identifier does not begin as the collection's scopes ask; `expected` says how it must
    /// begin.
    case wrongIdentifier(String, expected: String)
    /// The records of this collection, a log, are never deleted or changed.
    case immutable(String)
    /// The records of this collection change, but are never deleted.
    case neverDeleted(String)
    /// There is no such collection.
    case unknownCollection(String)
    /// There is no such field.
    case unknownField(String)
    /// A field was given another number of values than it has, which is `expected`.
    case wrongCount(field: String, expected: Int)
    /// A value has another type than the field.
    case wrongType(field: String, expected: String)
    /// A value is not in the list of a choice.
    case notAChoice(field: String, allowed: [String])
    /// The place after which a page is asked for comes from no query of this collection and order.
    case badCursor
    /// A value cannot be stored: it is too large, nested too deeply, or not a number.
    case badValue(field: String)
}
