/// The type of a field's value; every field may also hold no value.
public enum ValueType: Equatable, Sendable {
    /// `Value.text`.
    case text
    /// `Value.int`.
    case int
    /// `Value.decimal`.
    case decimal
    /// `Value.double`; for anything that is counted or dosed use `decimal`.
    case double
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
    /// `Value.text` that is the identifier of a record of the collection with this number.
    case reference(UInt32)
    /// A file, which a field of the kind `file` holds.
    case file

    /// The type's name in messages.
    public var name: String {
        switch self {
        case .text: "text"
        case .int: "int"
        case .decimal: "decimal"
        case .double: "double"
        case .bool: "bool"
        case .date: "date"
        case .instant: "instant"
        case .bytes: "bytes"
        case .choice: "choice"
        case .reference: "reference"
        case .file: "file"
        }
    }

    /// Returns true when a received value has this type; a choice need not be one of the list.
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .null), (.text, .text), (.choice, .text), (.reference, .text),
            (.double, .double), (.int, .int), (.decimal, .decimal),
            (.bool, .bool), (.date, .date), (.instant, .instant), (.bytes, .bytes):
            true
        case (.file, .list):
            FileValue(value) != nil
        default:
            false
        }
    }
}
