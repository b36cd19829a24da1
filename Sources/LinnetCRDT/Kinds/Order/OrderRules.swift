/// The rules of a place among other records: the latest move wins.
enum OrderRules: RegisterRules {
    static let name = "order"
    static let rule = "The latest move wins; of two at one time, the larger author's."
    static let form = FieldForm.place
    static let setting = OperationKind.orderMove
    static let action = OperationAction.move
    static let admitsAtSight = true
    static let isForLogs = false
    static let onlyType: ValueType? = .text
    static let typeNames = "text"
    static let typeAdvice = "this kind holds text: leave the type out"
    static let indexAdvice = "an order is seen or not at all: \"clear\", or leave this out"

    static func allows(_ type: ValueType) -> Bool { type == .text }
    static func allows(_ index: FieldIndex) -> Bool { index == .clear }
    static func phrase(of type: String) -> String { name }
}
