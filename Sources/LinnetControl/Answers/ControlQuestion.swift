/// Something that another device did to the group, of which a person is asked.
package struct ControlQuestion: ControlElement, ControlStruct, Equatable {
    package static let number: UInt64 = 159
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.record, \.matter, \.detail, \.device, \.by, \.isByRecovery, \.isSelf,
            \.heardMilliseconds, \.answer, \.acceptanceMilliseconds)
    }

    /// The record, as 64 hexadecimal digits.
    package var record: String
    /// admission, removal or role.
    package var matter: String
    /// The reason of a removal, or the role; empty for an admission and for what this version does
    /// not know.
    package var detail: String
    /// The device that it was done to.
    package var device: ControlDevice
    /// The device that did it.
    package var by: ControlDevice
    /// True when it was done with the recovery words.
    package var isByRecovery: Bool
    /// True when the device that answers is the one that it was done to.
    package var isSelf: Bool
    /// The time at which the device heard of it, in Unix milliseconds; nil where it is not known.
    package var heardMilliseconds: Int64?
    /// yes, no, or empty while there is no answer.
    package var answer: String
    /// The time at which the device accepts an admission by itself, in Unix milliseconds.
    package var acceptanceMilliseconds: Int64?

    /// Joins the facts.
    package init(
        record: String, matter: String, detail: String, device: ControlDevice, by: ControlDevice,
        isByRecovery: Bool, isSelf: Bool, heardMilliseconds: Int64?, answer: String,
        acceptanceMilliseconds: Int64?
    ) {
        (self.record, self.matter, self.detail) = (record, matter, detail)
        (self.device, self.by) = (device, by)
        (self.isByRecovery, self.isSelf) = (isByRecovery, isSelf)
        (self.heardMilliseconds, self.answer) = (heardMilliseconds, answer)
        self.acceptanceMilliseconds = acceptanceMilliseconds
    }
}
