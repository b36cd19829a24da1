package import LinnetWire

/// The state of a device and its group, for people.
package struct ControlStatus: Equatable, Sendable {
    /// One device of the group.
    package struct Member: Equatable, Sendable {
        /// The device.
        package var device: DeviceID
        /// Its name, as the device itself says.
        package var name: String
        /// Its kind, as the device itself says.
        package var kind: String
        /// What it may do: admin, member or relay.
        package var role: String
        /// Whether it is the device that answers.
        package var isSelf: Bool
        /// Whether there is a session with it now.
        package var isConnected: Bool
        /// When it was last heard, in Unix milliseconds.
        package var lastHeardMilliseconds: Int64?
        /// How many batches it is known to lack.
        package var behindBatches: UInt64
        /// When it last signed that it held what this device did, in Unix milliseconds.
        package var agreedMilliseconds: Int64?

        /// Joins the facts.
        package init(
            device: DeviceID, name: String, kind: String, role: String, isSelf: Bool,
            isConnected: Bool, lastHeardMilliseconds: Int64?, behindBatches: UInt64,
            agreedMilliseconds: Int64? = nil
        ) {
            self.device = device
            self.name = name
            self.kind = kind
            self.role = role
            self.isSelf = isSelf
            self.isConnected = isConnected
            self.lastHeardMilliseconds = lastHeardMilliseconds
            self.behindBatches = behindBatches
            self.agreedMilliseconds = agreedMilliseconds
        }
    }

    /// The devices of the group.
    package var members: [Member]
    /// Whether the device belongs to a group and was never in step with a device that knew all that
    /// the group had.
    package var isNewcomer: Bool
    /// Whether a `run` serves the home now.
    package var isRunning: Bool
    /// Whether the keys are out of memory; then nothing else is known.
    package var isLocked: Bool
    /// Where the node listens, when it does.
    package var port: UInt16?
    /// How finding devices goes, in words; empty when it is off.
    package var discovery: String
    /// What waits, and for what.
    package var waiting: [String]
    /// What deserves attention.
    package var warnings: [ControlWarning]
    /// How many batches the device holds.
    package var batches: UInt64
    /// How many bytes of batches the device holds.
    package var batchBytes: UInt64
    /// The directory shared with the phone or the watch, when there is one.
    package var companionLink: CompanionLinkStatus?

    /// Joins the facts.
    package init(
        members: [Member], isNewcomer: Bool = false, isRunning: Bool,
        isLocked: Bool = false, port: UInt16?,
        discovery: String, waiting: [String], warnings: [ControlWarning], batches: UInt64,
        batchBytes: UInt64, companionLink: CompanionLinkStatus? = nil
    ) {
        self.members = members
        self.isNewcomer = isNewcomer
        self.isRunning = isRunning
        self.isLocked = isLocked
        self.port = port
        self.discovery = discovery
        self.waiting = waiting
        self.warnings = warnings
        self.batches = batches
        self.batchBytes = batchBytes
        self.companionLink = companionLink
    }
}
