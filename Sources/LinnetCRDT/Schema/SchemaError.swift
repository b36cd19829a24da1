/// Why a schema or a value for one of its fields is refused.
public enum SchemaError: Error, Equatable, Sendable {
    /// A name is empty, longer than 64 bytes or holds a control character.
    case badName(String)
    /// Two collections share an identifier or a name.
    case duplicateCollection(String)
    /// Two fields of a collection, or two members of a group, share an identifier or a name.
    case duplicateField(String)
    /// A collection below 2000 is not one that Linnet defines.
    case reservedCollection(UInt32)
    /// A collection, or a field, is declared and retired at once.
    case retired(String)
    /// A field has the number 0.
    case reservedField(String)
    /// A choice lists no value, one twice, or one that is no legal name.
    case badChoices(String)
    /// A group has no member.
    case emptyGroup(String)
    /// A field that is no group, no text and no order does not say what its values are.
    case missingType(String)
    /// A reference leads to a collection that a replica may hold without.
    case openReference(field: String, to: String)
    /// A field of a log is neither a single value nor a group.
    case notForLogs(field: String)
    /// Records cannot be found by a field of this kind in this way.
    case notIndexable(field: String, as: FieldIndex)
    /// A field is written in a way that its kind does not know.
    case wrongKind(field: String, kind: String)
    /// An edit lies outside a text of so many characters.
    case badEdit(field: String, length: Int)
    /// A field cannot be filled from another one: why not.
    case badFill(field: String, reason: String)
    /// An identifier does not begin as the collection's scopes ask: this is what they ask for.
    case wrongIdentifier(String, expected: String)
    /// The records of this collection, a log, are never deleted or changed.
    case immutable(String)
    /// The records of this collection change, but are never deleted.
    case neverDeleted(String)
    /// There is no such collection.
    case unknownCollection(String)
    /// There is no such field.
    case unknownField(String)
    /// A group was given one value, or another field several, or a group too few or too many.
    case wrongCount(field: String, expected: Int)
    /// A value has another type than the field.
    case wrongType(field: String, expected: String)
    /// A value is not in the list of a choice.
    case notAChoice(field: String, allowed: [String])
    /// A page is asked for after a place that no query of this collection and order gave.
    case badCursor
    /// A value cannot be stored: too large, nested too deeply, not a number.
    case badValue(field: String)
}
