package import LinnetControl

// These requests are about certificates, in words of the public model.

/// A statement of what this device holds now, to be signed.
package struct CertificateRequest: ControlRequest {
    package typealias Answer = ConvergenceCertificate
    package static let number: UInt64 = 50
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// A certificate from a file, to be checked.
package struct CertificateCheckRequest: ControlRequest {
    package typealias Answer = ConvergenceCertificate
    package static let number: UInt64 = 51
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.bytes) }

    /// The content of the file.
    package var bytes: [UInt8]

    /// Hands over the content.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The certificates that this device and others signed for each other.
package struct AgreementsRequest: ControlRequest {
    package typealias Answer = [ConvergenceAgreement]
    package static let number: UInt64 = 52
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// An exchange after which devices sign for each other.
package struct CertificateExchangeRequest: ControlRequest {
    package typealias Answer = [ConvergenceAgreement]
    package static let number: UInt64 = 53
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.meeting) }

    /// The devices to meet, and the time for it.
    package var meeting: ControlMeeting

    /// Meets devices.
    package init(_ meeting: ControlMeeting) { self.meeting = meeting }
}
