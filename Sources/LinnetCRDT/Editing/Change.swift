/// One change of a record, as an application asks for it.
package enum Change: Equatable, Sendable {
    /// Sets a field; in one that keeps concurrent values it replaces all that show.
    case set(FieldWrite)
    /// Gives a field that keeps concurrent values several of them, in place of all that show.
    case keep(field: UInt32, [Value])
    /// Adds to a tally under a key; a key that stands already gets this amount instead.
    case count(field: UInt32, key: String, amount: Value)
    /// Sets a tally to the amount that was counted, whatever was added before.
    case recount(field: UInt32, Value)
    /// Adds an element to a set.
    case add(field: UInt32, Value)
    /// Removes an element from a set.
    case remove(field: UInt32, Value)
    /// Replaces a part of a text, counted in a unit.
    case edit(
        field: UInt32, at: Int, deleting: Int, inserting: String, unit: TextUnit = .characters)
    /// Replaces parts of a text that are named, wherever they are by now.
    case splice(field: UInt32, TextSplice)
    /// Replaces a text by another and keeps what both share.
    case rewrite(field: UInt32, String)
    /// Fills a text in which nothing stands with a copy, which merges with an equal one.
    case copy(field: UInt32, [TextCopy])
    /// Writes a record of a log: all its fields at once.
    case insert([FieldValues])
    /// Deletes the record; changes nothing when it is not live.
    case delete
    /// Brings a deleted record back; changes nothing when it is not deleted.
    case restore
}

/// All values of one field.
package struct FieldValues: Equatable, Sendable {
    /// The field's number.
    package let field: UInt32
    /// One value, or one for each member of a group.
    package let values: [Value]

    /// Joins the parts.
    package init(_ field: UInt32, _ values: [Value]) {
        self.field = field
        self.values = values
    }
}

extension Change {
    /// The number of the field that is changed; nil for the record as a whole.
    package var field: UInt32? {
        switch self {
        case .set(let written): written.field
        case .keep(let field, _), .count(let field, _, _), .recount(let field, _),
            .add(let field, _), .remove(let field, _), .edit(let field, _, _, _, _),
            .splice(let field, _),
            .rewrite(let field, _), .copy(let field, _):
            field
        case .insert, .delete, .restore: nil
        }
    }
}
