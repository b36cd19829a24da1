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
                record:device:by:role:reason:companions:stands:supporters:opponents:rivals:
                silent:unheard:isSelf:), \.record, \.device, \.by, \.role, \.reason,
            \.companions, \.stands, \.supporters, \.opponents, \.rivals, \.silent, \.unheard,
            \.isSelf)
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
    /// The devices that are for it.
    package var supporters: [ControlDevice]
    /// The devices that are against it.
    package var opponents: [ControlDevice]
    /// The records of a duel.
    package var rivals: [String]
    /// The devices that may vote and have not spoken.
    package var silent: [ControlDevice]
    /// The members that are not known to have heard of it.
    package var unheard: [ControlDevice]
    /// True when the device is the one that answers.
    package var isSelf: Bool

    /// Joins the facts.
    package init(
        record: String, device: ControlDevice, by: ControlDevice, role: String, reason: String,
        companions: [ControlDevice], stands: Bool, supporters: [ControlDevice],
        opponents: [ControlDevice], rivals: [String], silent: [ControlDevice],
        unheard: [ControlDevice], isSelf: Bool
    ) {
        (self.record, self.rivals, self.silent) = (record, rivals, silent)
        (self.device, self.by, self.role, self.reason) = (device, by, role, reason)
        (self.companions, self.stands) = (companions, stands)
        (self.supporters, self.opponents) = (supporters, opponents)
        (self.unheard, self.isSelf) = (unheard, isSelf)
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
