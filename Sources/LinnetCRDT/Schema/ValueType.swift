/// The type of a field's value; every field may also hold no value.
public enum ValueType: Equatable, Sendable {
    /// `Value.text`.
    case text
    /// `Value.int`.
    case int
    /// `Value.decimal`.
    case decimal
    /// `Value.bool`.
    case bool
    /// `Value.date`.
    case date
    /// `Value.instant`.
    case instant
    /// `Value.bytes`.
    case bytes
    /// `Value.text` out of a list; a value that a newer version wrote is read as itself.
    case choice([String])

    /// The type's name in messages.
    public var name: String {
        switch self {
        case .text: "text"
        case .int: "int"
        case .decimal: "decimal"
        case .bool: "bool"
        case .date: "date"
        case .instant: "instant"
        case .bytes: "bytes"
        case .choice: "choice"
        }
    }

    /// Whether a received value has this type; a choice need not be one of the list.
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .null), (.text, .text), (.choice, .text), (.int, .int), (.decimal, .decimal),
            (.bool, .bool), (.date, .date), (.instant, .instant), (.bytes, .bytes):
            true
        default:
            false
        }
    }
}
