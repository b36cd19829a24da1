/// The state of the group's recovery phrase.
package struct ControlRecovery: ControlAnswer, ControlStruct, Equatable {
    package static let number: UInt64 = 161
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.isPossible, \.isMakerHere, \.madeMilliseconds, \.testedMilliseconds,
            \.opensDoors, \.isTestDue)
    }

    /// False for a group that was founded without a recovery key.
    package var isPossible: Bool
    /// True on the device that can make the phrase, until it is made.
    package var isMakerHere: Bool
    /// The Unix time at which the phrase was made; nil when there is none.
    package var madeMilliseconds: Int64?
    /// The Unix time of the last test on this device; nil when there was none.
    package var testedMilliseconds: Int64?
    /// True where devices leave doors for it in their mailboxes.
    package var opensDoors: Bool
    /// True when it was neither made nor tested for a year.
    package var isTestDue: Bool

    /// Joins the facts.
    package init(
        isPossible: Bool, isMakerHere: Bool, madeMilliseconds: Int64?, testedMilliseconds: Int64?,
        opensDoors: Bool, isTestDue: Bool
    ) {
        (self.isPossible, self.isMakerHere) = (isPossible, isMakerHere)
        (self.madeMilliseconds, self.testedMilliseconds) = (madeMilliseconds, testedMilliseconds)
        (self.opensDoors, self.isTestDue) = (opensDoors, isTestDue)
    }
}
