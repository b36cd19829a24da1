/// The wish to fold older changes that every device holds into what they came to.
package struct CompactionRequest: ControlRequest {
    package typealias Answer = ControlCompaction
    package static let number: UInt64 = 79
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(keptDays:lapsedDays:), \.keptDays, \.lapsedDays)
    }

    /// The days for which changes stay as they were written.
    package var keptDays: UInt64
    /// The days of silence after which a device holds nothing back; nil for never.
    package var lapsedDays: UInt64?

    /// Joins the parts.
    package init(keptDays: UInt64, lapsedDays: UInt64?) {
        (self.keptDays, self.lapsedDays) = (keptDays, lapsedDays)
    }
}
