package import LinnetControl

// These requests are about the recovery phrase of the group, in words of the public model.

/// The state of the recovery phrase.
package struct RecoveryStatusRequest: ControlRequest {
    package typealias Answer = ControlRecovery
    package static let number: UInt64 = 90
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// A phrase made, tested, or put in the place of another one.
package struct RecoveryPhraseRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 91
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(phrase:next:), \.phrase, \.next)
    }

    /// The phrase of the group; nil where there is none yet.
    package var phrase: Passphrase?
    /// The phrase from now on; nil to test the other one alone.
    package var next: Passphrase?

    /// Gives the phrases.
    package init(phrase: Passphrase?, next: Passphrase?) {
        (self.phrase, self.next) = (phrase, next)
    }
}

/// Devices taken out of the group with the phrase.
package struct RecoveryUseRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 92
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(phrase:lost:isAll:), \.phrase, \.lost, \.isAll)
    }

    /// The phrase of the group.
    package var phrase: Passphrase
    /// The devices, named as the status shows them or by the beginning of their identifiers.
    package var lost: [String]
    /// True for every other device.
    package var isAll: Bool

    /// Gives the phrase and names the devices.
    package init(phrase: Passphrase, lost: [String], isAll: Bool) {
        (self.phrase, self.lost, self.isAll) = (phrase, lost, isAll)
    }
}
