/// The rules of several values that change together: the latest change wins as a whole.
enum GroupRules: RegisterRules {
    static let name = "group"
    static let rule = "The latest change wins as a whole; of two at one time, the larger author's."
    static let form = FieldForm.members
    static let setting = OperationKind.groupSet
    static let mergesUnknownFields = true

    static func allows(_ index: FieldIndex) -> Bool { false }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        (try? Value.decodeGroup(payload)) != nil
    }
}
