// These requests are about the device itself, not about its records.

/// The keys out of memory.
package struct LockRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 70
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// A look for what is wrong.
package struct ExaminationRequest: ControlRequest {
    package typealias Answer = [HealthFinding]
    package static let number: UInt64 = 74
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init(isDeep:), \.isDeep) }

    /// True when everything that is stored is read.
    package var isDeep: Bool

    /// Asks.
    package init(isDeep: Bool) { self.isDeep = isDeep }
}

/// The warnings that are kept for the person, who knows of them now.
package struct AcknowledgementRequest: ControlRequest {
    package typealias Answer = [ControlWarning]
    package static let number: UInt64 = 75
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The warnings that no command has told yet; they count as told then.
package struct WarningsRequest: ControlRequest {
    package typealias Answer = [ControlWarning]
    package static let number: UInt64 = 76
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The end of the node, which lets go of its home; the answer may be lost with the connection.
package struct StopRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 77
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// Writes again, as far as records show it, the batches that this device wrote and its disk lost;
/// answers with the number of those batches.
package struct RestatementRequest: ControlRequest {
    package typealias Answer = UInt64
    package static let number: UInt64 = 78
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}
