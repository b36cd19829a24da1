package import LinnetWire

/// The state of a device and its group, for people.
package struct ControlStatus: Equatable, Sendable {
    /// One device of the group.
    package struct Member: Equatable, Sendable {
        /// The device.
        package var device: DeviceID
        /// The name that the device gives itself.
        package var name: String
        /// The kind that the device says it is.
        package var kind: String
        /// The role that decides what it may do: admin, member or relay.
        package var role: String
        /// True when it is the device that answers.
        package var isSelf: Bool
        /// True when there is a session with it now.
        package var isConnected: Bool
        /// The time at which it was last heard, in Unix milliseconds; nil when it never was.
        package var lastHeardMilliseconds: Int64?
        /// The number of batches that it is known to lack.
        package var behindBatches: UInt64
        /// The time at which it last signed that it held and showed the same as this device, in
        /// Unix milliseconds; nil when it never did.
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
    /// True when the device belongs to a group and was never in step with a device that knew all
    /// that the group had.
    package var isNewcomer: Bool
    /// True when a `run` serves the home now.
    package var isRunning: Bool
    /// True when the keys are out of memory; then nothing else is known.
    package var isLocked: Bool
    /// The port at which the node listens; nil when it does not.
    package var port: UInt16?
    /// The state of the search for other devices, by the name that ``NetworkState`` gives it.
    package var discovery: String
    /// The changes that wait, and what they wait for.
    package var waiting: [String]
    /// The warnings that are not over.
    package var warnings: [ControlWarning]
    /// The number of batches that the device holds.
    package var batches: UInt64
    /// The bytes of the batches that the device holds.
    package var batchBytes: UInt64
    /// The use of the directory shared with the phone or the watch; nil without one.
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
