/// The place of a record among the others of its collection.
public enum OrderPlace: Equatable, Sendable {
    /// Before all others.
    case first
    /// After all others.
    case last
    /// Right before the record with this identifier.
    case before(String)
    /// Right after the record with this identifier.
    case after(String)
}

extension OrderPlace {
    /// The identifier of the record beside which the place is; nil at an end.
    var anchor: String? {
        switch self {
        case .first, .last: nil
        case .before(let id), .after(let id): id
        }
    }
}
