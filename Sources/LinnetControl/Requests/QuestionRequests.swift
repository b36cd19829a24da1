// These requests are about what other devices did to the group.

/// The questions to the person at a device.
package struct QuestionsRequest: ControlRequest {
    package typealias Answer = [ControlQuestion]
    package static let number: UInt64 = 95
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.withAnswered) }

    /// True when those that she answered are asked for, too.
    package var withAnswered: Bool

    /// Asks.
    package init(withAnswered: Bool) { self.withAnswered = withAnswered }
}

/// Her answer to one of them.
package struct QuestionAnswerRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 96
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.record, \.isOwn) }

    /// The beginning of the record's identifier.
    package var record: String
    /// True for *yes, that was me*.
    package var isOwn: Bool

    /// Answers.
    package init(record: String, isOwn: Bool) { (self.record, self.isOwn) = (record, isOwn) }
}
