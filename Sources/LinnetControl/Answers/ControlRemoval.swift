/// A device, and the name that it gives itself.
package struct ControlDevice: ControlStruct, Equatable {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.id, \.name) }

    /// 64 hexadecimal digits.
    package var id: String
    /// The name; empty when it is not known.
    package var name: String

    /// Joins the facts.
    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

/// A device that was taken out of its group, or left it, or a role that it was given.
package struct ControlRemoval: ControlElement, ControlStruct {
    package static let number: UInt64 = 148
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init(
                record:device:by:role:reason:companions:stands:votes:rivals:unheard:holders:wipe:
                isSelf:), \.record, \.device, \.by, \.role, \.reason, \.companions, \.stands,
            \.votes, \.rivals, \.unheard, \.holders, \.wipe, \.isSelf)
    }

    /// The record, as 64 hexadecimal digits.
    package var record: String
    /// The device.
    package var device: ControlDevice
    /// The device that took it out; the same when it left.
    package var by: ControlDevice
    /// The role that it was given; empty when it was taken out, or left.
    package var role: String
    /// lost, sold, broken or mine; empty for one that this version does not know.
    package var reason: String
    /// The devices that were named to go along.
    package var companions: [ControlDevice]
    /// True when it has effect.
    package var stands: Bool
    /// The devices that spoke, and those that did not.
    package var votes: Votes
    /// The records of a duel.
    package var rivals: [String]
    /// The members that are not known to have heard of it.
    package var unheard: [ControlDevice]
    /// The members that are known to hold it.
    package var holders: [Holder]
    /// The latest request to the device to destroy itself.
    package var wipe: Wipe?
    /// True when the device is the one that answers.
    package var isSelf: Bool

    /// Joins the facts.
    package init(
        record: String, device: ControlDevice, by: ControlDevice, role: String, reason: String,
        companions: [ControlDevice], stands: Bool, votes: Votes, rivals: [String],
        unheard: [ControlDevice], holders: [Holder], wipe: Wipe?, isSelf: Bool
    ) {
        (self.record, self.rivals, self.votes) = (record, rivals, votes)
        (self.device, self.by, self.role, self.reason) = (device, by, role, reason)
        (self.companions, self.stands) = (companions, stands)
        (self.unheard, self.isSelf) = (unheard, isSelf)
        (self.holders, self.wipe) = (holders, wipe)
    }
}

extension ControlRemoval {
    /// The votes.
    package struct Votes: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init, \.supporters, \.opponents, \.uncountedSupporters, \.uncountedOpponents,
                \.silent)
        }

        /// The devices that are counted for it.
        package var supporters: [ControlDevice]
        /// The devices that are counted against it.
        package var opponents: [ControlDevice]
        /// The devices that were for it, and are not counted.
        package var uncountedSupporters: [ControlDevice]
        /// The devices that were against it, and are not counted.
        package var uncountedOpponents: [ControlDevice]
        /// The devices that may vote and have not spoken.
        package var silent: [ControlDevice]

        /// Joins the facts.
        package init(
            supporters: [ControlDevice], opponents: [ControlDevice],
            uncountedSupporters: [ControlDevice], uncountedOpponents: [ControlDevice],
            silent: [ControlDevice]
        ) {
            (self.supporters, self.opponents, self.silent) = (supporters, opponents, silent)
            self.uncountedSupporters = uncountedSupporters
            self.uncountedOpponents = uncountedOpponents
        }
    }

    /// A member that is known to hold a removal.
    package struct Holder: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(Self.init, \.device, \.record, \.isSelf)
        }

        /// The member.
        package var device: ControlDevice
        /// Its record that shows it; nil when it only said so in the session that is open.
        package var record: String?
        /// True when the member is the one that answers.
        package var isSelf: Bool

        /// Joins the facts.
        package init(device: ControlDevice, record: String?, isSelf: Bool) {
            (self.device, self.record, self.isSelf) = (device, record, isSelf)
        }
    }

    /// A request to the device to destroy itself.
    package struct Wipe: ControlStruct, Equatable {
        package static var form: ControlForm<Self> {
            ControlForm(
                Self.init, \.record, \.by, \.wallMilliseconds, \.isGood, \.obeyed,
                \.obeyedWallMilliseconds)
        }

        /// Its record.
        package var record: String
        /// The device that asks.
        package var by: ControlDevice
        /// The time at which it asked, in Unix milliseconds.
        package var wallMilliseconds: Int64
        /// True when the device has to obey.
        package var isGood: Bool
        /// The device's record that it obeys.
        package var obeyed: String?
        /// The time at which it said so, in Unix milliseconds.
        package var obeyedWallMilliseconds: Int64?

        /// Joins the facts.
        package init(
            record: String, by: ControlDevice, wallMilliseconds: Int64, isGood: Bool,
            obeyed: String?, obeyedWallMilliseconds: Int64?
        ) {
            (self.record, self.by, self.isGood) = (record, by, isGood)
            self.wallMilliseconds = wallMilliseconds
            (self.obeyed, self.obeyedWallMilliseconds) = (obeyed, obeyedWallMilliseconds)
        }
    }
}

/// The effects that the removal of a device would have.
package struct ControlRemovalPlan: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 145
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.device, \.helpers, \.unheard, \.batchesKept, \.keysHeld,
            \.batchesReadable, \.lateBatches)
    }

    /// The device.
    package var device: ControlDevice
    /// The members that it admitted and nobody else did.
    package var helpers: [ControlDevice]
    /// The members that are not connected.
    package var unheard: [ControlDevice]
    /// The number of batches by it that go on to count.
    package var batchesKept: UInt64
    /// The number of keys of the group that it has.
    package var keysHeld: UInt64
    /// The number of batches that it may have and read.
    package var batchesReadable: UInt64
    /// The number of batches in the inbox of late writes.
    package var lateBatches: UInt64

    /// Joins the facts.
    package init(
        device: ControlDevice, helpers: [ControlDevice], unheard: [ControlDevice],
        batchesKept: UInt64, keysHeld: UInt64, batchesReadable: UInt64, lateBatches: UInt64
    ) {
        (self.device, self.helpers, self.unheard) = (device, helpers, unheard)
        (self.batchesKept, self.keysHeld) = (batchesKept, keysHeld)
        (self.batchesReadable, self.lateBatches) = (batchesReadable, lateBatches)
    }
}
