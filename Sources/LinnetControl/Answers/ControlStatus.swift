package import LinnetSystem
package import LinnetWire

/// The state of a device and its group, for people.
package struct ControlStatus: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 114
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.members, \.isNewcomer, \.isRunning, \.isLocked, \.port, \.discovery,
            \.waiting, \.warnings, \.batches, \.batchBytes, \.companionLink,
            \.removals, \.lateBatches, \.questions, \.recovery)
    }

    /// One device of the group.
    package struct Member: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init(
                    device:name:kind:role:isSelf:isConnected:lastHeardMilliseconds:behindBatches:
                    agreedMilliseconds:amounts:scopes:), \.device, \.name, \.kind, \.role, \.isSelf,
                \.isConnected, \.lastHeardMilliseconds, \.behindBatches, \.agreedMilliseconds,
                \.amounts, \.scopes)
        }

        /// The device.
        package var device: DeviceID
        /// Its name, as the device itself says.
        package var name: String
        /// Its kind, as the device itself says.
        package var kind: String
        /// Its role: admin, member, reader or relay.
        package var role: String
        /// True when it is the device that answers.
        package var isSelf: Bool
        /// True when there is a session with it now.
        package var isConnected: Bool
        /// The time at which it was last heard, in Unix milliseconds.
        package var lastHeardMilliseconds: Int64?
        /// The number of batches that it lacks by what it said last; nil when that is not known.
        package var behindBatches: UInt64?
        /// The last time that it signed to hold what this device did, in Unix milliseconds.
        package var agreedMilliseconds: Int64?
        /// The amounts that it brought and wrote, as counted by the device that answers.
        package var amounts: Amounts
        /// The scopes to which it is bound, between commas; nil for one that reads all.
        package var scopes: String?

        /// Joins the facts.
        package init(
            device: DeviceID, name: String, kind: String, role: String, isSelf: Bool,
            isConnected: Bool, lastHeardMilliseconds: Int64?, behindBatches: UInt64?,
            agreedMilliseconds: Int64? = nil, amounts: Amounts = Amounts(),
            scopes: String? = nil
        ) {
            self.scopes = scopes
            self.device = device
            self.name = name
            self.kind = kind
            self.role = role
            self.isSelf = isSelf
            self.isConnected = isConnected
            self.lastHeardMilliseconds = lastHeardMilliseconds
            self.behindBatches = behindBatches
            self.agreedMilliseconds = agreedMilliseconds
            self.amounts = amounts
        }
    }

    /// The amounts that came from a device, and those that are kept of it. Those of today begin
    /// anew when the home is opened.
    package struct Amounts: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init, \.recordsToday, \.batchesToday, \.bytesToday, \.batchesHeld,
                \.bytesHeld)
        }

        /// The number of membership records that it signed and that came today.
        package var recordsToday: UInt64
        /// The number of batches that it sent today.
        package var batchesToday: UInt64
        /// The bytes of those batches.
        package var bytesToday: UInt64
        /// The number of batches that it wrote and that are stored.
        package var batchesHeld: UInt64
        /// The bytes of those batches.
        package var bytesHeld: UInt64

        /// Joins the numbers.
        package init(
            recordsToday: UInt64 = 0, batchesToday: UInt64 = 0, bytesToday: UInt64 = 0,
            batchesHeld: UInt64 = 0, bytesHeld: UInt64 = 0
        ) {
            (self.recordsToday, self.batchesToday) = (recordsToday, batchesToday)
            (self.bytesToday, self.batchesHeld) = (bytesToday, batchesHeld)
            self.bytesHeld = bytesHeld
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
    /// The devices that were taken out of the group, or left it.
    package var removals: [ControlRemoval]
    /// The number of batches in the inbox of late writes.
    package var lateBatches: UInt64
    /// The open questions about the group.
    package var questions: [ControlQuestion]
    /// The state of the recovery phrase; nil while the device belongs to no group, or is locked.
    package var recovery: ControlRecovery?

    /// Joins the facts.
    package init(
        members: [Member], isNewcomer: Bool = false, isRunning: Bool,
        isLocked: Bool = false, port: UInt16?,
        discovery: String, waiting: [String], warnings: [ControlWarning], batches: UInt64,
        batchBytes: UInt64, companionLink: CompanionLinkStatus? = nil,
        removals: [ControlRemoval] = [], lateBatches: UInt64 = 0,
        questions: [ControlQuestion] = [],
        recovery: ControlRecovery? = nil
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
        self.removals = removals
        self.lateBatches = lateBatches
        self.questions = questions
        self.recovery = recovery
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
