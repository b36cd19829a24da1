/// The deed of an operation.
public enum OperationAction: UInt8, Equatable, Sendable {
    /// Did something that only a newer version knows.
    case unknown = 0
    /// Set a field.
    case set = 1
    /// Added to a tally.
    case count = 2
    /// Set a tally to what was counted.
    case recount = 3
    /// Added an element to a set.
    case add = 4
    /// Removed an element from a set.
    case remove = 5
    /// Wrote characters into a text.
    case insertText = 6
    /// Deleted characters of a text.
    case deleteText = 7
    /// Moved the record in an order.
    case move = 8
    /// Wrote a record of a log.
    case insert = 9
    /// Deleted the record.
    case delete = 10
    /// Brought the record back.
    case restore = 11
}

/// The content that an operation wrote, as a person reads it.
package struct WrittenContent: Equatable, Sendable {
    /// The deed.
    package let action: OperationAction
    /// The value, amount, element or text; nil where it cannot be read.
    package let value: Value?
    /// The key of an amount.
    package let key: String?

    init(_ action: OperationAction, _ value: Value? = nil, key: String? = nil) {
        self.action = action
        self.value = value
        self.key = key
    }

    /// Reads an operation; the field is nil where nobody knows it.
    package init(_ operation: Operation, _ field: Field?) {
        switch OperationKind(rawValue: operation.kind) {
        case .recordDelete?: self.init(.delete)
        case .recordRestore?: self.init(.restore)
        case let kind:
            self =
                kind?.rules?.written(by: operation, to: field) ?? WrittenContent(.unknown)
        }
    }
}
