package import LinnetCRDT
package import LinnetReplication

// Answers, and what they are made of, that are values of other modules.

extension HiddenReason: ControlCodable {}

extension RecordView: ControlElement {
    package static let number: UInt64 = 120
}

extension FigureGroup: ControlElement {
    package static let number: UInt64 = 122
}

extension UInt64: ControlAnswer {
    package static let number: UInt64 = 125
}

extension QueryPlan: ControlAnswer {
    package static let number: UInt64 = 124
}
