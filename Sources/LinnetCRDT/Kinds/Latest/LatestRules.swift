/// The rules of a single value, of which the latest wins.
enum LatestRules: RegisterRules {
    static let name = "lww"
    static let rule = "The latest change wins; of two at one time, the larger author's."
    static let form = FieldForm.single
    static let setting = OperationKind.lwwSet
    static let admitsAtSight = true
    static let mergesUnknownFields = true
    static let copySources: [FieldKind] = [.lww, .tally, .text]

    static func phrase(of type: String) -> String { type }
}
