import LinnetWire

/// The outcome of a merge of another group, or of a look at what one would do.
package struct ControlMerge: ControlAnswer, ControlStruct, Equatable {
    package static let number: UInt64 = 163
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.brought, \.changes, \.known, \.waiting, \.devices, \.both, \.bothCount)
    }

    /// The transactions that were not here before.
    package var brought: UInt64
    /// The changes in them.
    package var changes: UInt64
    /// The transactions that somebody had brought before.
    package var known: UInt64
    /// The transactions that the other home does not show yet.
    package var waiting: UInt64
    /// The devices whose names were not known here.
    package var devices: UInt64
    /// Records that are in both groups, as collection and identifier.
    package var both: [String]
    /// The number of those records.
    package var bothCount: UInt64

    /// Joins the numbers.
    package init(
        brought: UInt64, changes: UInt64, known: UInt64, waiting: UInt64, devices: UInt64,
        both: [String], bothCount: UInt64
    ) {
        (self.brought, self.changes, self.known) = (brought, changes, known)
        (self.waiting, self.devices) = (waiting, devices)
        (self.both, self.bothCount) = (both, bothCount)
    }
}
