/// The rules of one kind of field. Everything that depends on the kind is said once, in its folder.
///
/// Nobody makes a value of a type of rules. ``FieldKind/rules`` leads to it by the number of the
/// kind, ``OperationKind/rules`` by that of an operation.
package protocol KindRules: OperationRules {
    /// The kind's name in schemas and messages.
    static var name: String { get }
    /// The rule by which concurrent changes merge, in a sentence for people.
    static var rule: String { get }
    /// The form in which a value of the field is given and read.
    static var form: FieldForm { get }
    /// The type that every such field has; nil where the schema chooses.
    static var onlyType: ValueType? { get }
    /// The types that the kind allows, for messages.
    static var typeNames: String { get }
    /// The advice to somebody whose schema gives another type, or none.
    static var typeAdvice: String { get }
    /// The advice to somebody whose schema gives an index that the kind does not allow.
    static var indexAdvice: String { get }
    /// True when a record of a log may have such a field.
    static var isForLogs: Bool { get }
    /// The kinds of field from which such a field can be filled, even by several devices at once.
    static var copySources: [FieldKind] { get }
    /// The other kinds of field that can be filled from such a field.
    static var copyTargets: [FieldKind] { get }

    /// Returns true when a field of this kind may hold values of the type.
    static func allows(_ type: ValueType) -> Bool
    /// Returns true when records can be found by a field of this kind through such an index.
    static func allows(_ index: FieldIndex) -> Bool
    /// Describes a field in a few words, given those for its type.
    static func phrase(of type: String) -> String

    /// Returns true when a field of this kind takes such operations.
    static func takes(_ kind: OperationKind) -> Bool
    /// Returns true when a received payload has the form of its operation and the types of the
    /// field.
    static func admits(_ payload: [UInt8], of kind: OperationKind, in field: Field) -> Bool
    /// Returns the operation that sets the field; throws where the kind is not changed in this way.
    static func operation(
        setting written: FieldWrite, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> Operation
    /// Returns the operations of any other change of the field, none when it changes nothing.
    static func operations(
        for change: Change, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation]
}

extension KindRules {
    static var onlyType: ValueType? { nil }
    static var typeNames: String { "any type" }
    static var typeAdvice: String {
        "\"type\", \"choice\", \"reference\" or \"group\" is missing"
    }
    static var indexAdvice: String { "records are not found by such a field: leave this out" }
    static var isForLogs: Bool { false }
    static var copySources: [FieldKind] { [] }
    static var copyTargets: [FieldKind] { [] }

    static func allows(_ type: ValueType) -> Bool { type != .file }
    static func allows(_ index: FieldIndex) -> Bool { true }
    static func phrase(of type: String) -> String { "\(name) of \(type)" }

    static func operation(
        setting written: FieldWrite, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> Operation {
        throw .wrongKind(field: field.name, kind: name)
    }

    static func operations(
        for change: Change, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        throw .wrongKind(field: field.name, kind: name)
    }
}
