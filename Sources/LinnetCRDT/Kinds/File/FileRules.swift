/// The rules of a file: the latest one wins as a whole. Its content is no part of the value.
enum FileRules: RegisterRules {
    static let name = "file"
    static let rule = "The latest file wins; of two at one time, the larger author's."
    static let form = FieldForm.file
    static let setting = OperationKind.fileSet
    static let isForLogs = false
    static let onlyType: ValueType? = .file
    static let typeNames = "file"
    static let copySources: [FieldKind] = [.file]
    static let typeAdvice = "this kind holds a file: leave the type out"

    static func allows(_ type: ValueType) -> Bool { type == .file }
    static func allows(_ index: FieldIndex) -> Bool { false }
    static func phrase(of type: String) -> String { name }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        guard let value = try? Value.decode(payload) else { return false }
        return value == .null || FileValue(value) != nil
    }
}
