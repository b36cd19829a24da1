package import LinnetSystem
package import LinnetWire

/// The state of a device and its group, for people.
package struct ControlStatus: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 114
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.members, \.isNewcomer, \.isRunning, \.isLocked, \.port, \.discovery,
            \.waiting, \.warnings, \.batches, \.batchBytes, \.companionLink)
    }

    /// One device of the group.
    package struct Member: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init(
                    device:name:kind:role:isSelf:isConnected:lastHeardMilliseconds:behindBatches:
                    agreedMilliseconds:), \.device, \.name, \.kind, \.role, \.isSelf,
                \.isConnected, \.lastHeardMilliseconds, \.behindBatches, \.agreedMilliseconds)
        }

        /// The device.
        package var device: DeviceID
        /// Its name, as the device itself says.
        package var name: String
        /// Its kind, as the device itself says.
        package var kind: String
        /// Its role: admin, member or relay.
        package var role: String
        /// True when it is the device that answers.
        package var isSelf: Bool
        /// True when there is a session with it now.
        package var isConnected: Bool
        /// The time at which it was last heard, in Unix milliseconds.
        package var lastHeardMilliseconds: Int64?
        /// The number of batches that it is known to lack.
        package var behindBatches: UInt64
        /// The last time that it signed to hold what this device did, in Unix milliseconds.
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
    /// The port at which the node listens, when it does.
    package var port: UInt16?
    /// The state of finding devices, in words; empty when it is off.
    package var discovery: String
    /// The things that wait, and for what.
    package var waiting: [String]
    /// The warnings.
    package var warnings: [ControlWarning]
    /// The number of batches that the device holds.
    package var batches: UInt64
    /// The bytes of batches that the device holds.
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

extension CompanionLinkStatus: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.side, \.isPresent, \.isReachable, \.traffic)
    }
}

extension CompanionTraffic: ControlStruct {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.sent, \.received) }
}

extension CompanionTraffic.Direction: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.frames, \.bytes, \.wakes)
    }
}
