/// What an op does; the numbers are fixed, and those of later versions are carried unread.
package enum OperationKind: UInt8, CaseIterable, Sendable {
    /// Sets a field of which the latest value wins.
    case lwwSet = 1
    /// Sets all values of a group.
    case groupSet = 2
    /// Sets a field that keeps concurrent values.
    case mvSet = 3
    /// Adds a keyed amount.
    case tallyEntry = 4
    /// Sets the amount from which entries count.
    case tallyBase = 5
    /// Adds an element.
    case setAdd = 6
    /// Removes an element.
    case setRemove = 7
    /// Adds an immutable record.
    case logInsert = 8
    /// Inserts characters.
    case textInsert = 9
    /// Deletes characters.
    case textDelete = 10
    /// Marks characters.
    case textMark = 11
    /// Moves an element.
    case orderMove = 12
    /// Deletes a record.
    case recordDelete = 13
    /// Brings a deleted record back.
    case recordRestore = 14
    /// Inserts characters that are named by what they are, so that two copies are one.
    case textCopy = 15
}

extension OperationKind {
    /// Whether of two ops on a field the later one is all that counts.
    package var isLatestAlone: Bool { self == .lwwSet || self == .groupSet || self == .orderMove }

    /// Whether the op is on the record as a whole, and names no field.
    var isOnRecord: Bool {
        switch self {
        case .recordDelete, .recordRestore, .logInsert: true
        default: false
        }
    }
}
