/// The deed of an op. The numbers are fixed, and ops with numbers of later versions are carried
/// unread.
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
    /// Writes a field of which the largest value wins.
    case maxSet = 16
    /// Writes a field of which the smallest value wins.
    case minSet = 17
    /// Sets a field that holds a file.
    case fileSet = 18
}

extension OperationKind {
    /// True when of two ops on a field only the later one counts.
    package var isLatestAlone: Bool { rules?.isLatestAlone ?? false }

    /// True when the op lists, as a context, what its author had seen.
    package var hasContext: Bool { self == .recordDelete || self == .tallyBase }

    /// True when the op is on the record as a whole and names no field.
    var isOnRecord: Bool {
        self == .recordDelete || self == .recordRestore || self == .logInsert
    }

    /// The rules of such operations; nil for those that end or continue a record, and for the one
    /// that is reserved.
    package var rules: (any OperationRules.Type)? {
        switch self {
        case .lwwSet: LatestRules.self
        case .groupSet: GroupRules.self
        case .mvSet: MultiValueRules.self
        case .tallyEntry, .tallyBase: TallyRules.self
        case .setAdd, .setRemove: ElementSetRules.self
        case .logInsert: LogRules.self
        case .textInsert, .textDelete, .textCopy: TextRules.self
        case .orderMove: OrderRules.self
        case .maxSet: MaxRules.self
        case .minSet: MinRules.self
        case .fileSet: FileRules.self
        case .textMark, .recordDelete, .recordRestore: nil
        }
    }
}
