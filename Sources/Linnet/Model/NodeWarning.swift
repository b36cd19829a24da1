public import LinnetSystem

/// Something that deserves attention but stops nothing.
public enum NodeWarning: Equatable, Sendable {
    /// A device's clock differs from ours by so many milliseconds, theirs minus ours.
    case clockSkew(Device, milliseconds: Int64)
    /// An announcement on the network comes from a member whose clock is hours off.
    case announcedClockSkew(instance: String, hours: Int64)
    /// A device wrote two histories, as copies of one home do; both are kept.
    case authorForked(Device)
    /// A device wrote another history of what is compacted, which is passed over. Of this device:
    /// its home was put back to an earlier state.
    case historyPassedOver(Device)
    /// A device compacted changes that this one lacks and cannot take.
    case basesDiffer(Device)
    /// A device that was met before came back as a new author: its home was copied, put back or
    /// restored.
    case authorRenewed(Device)
    /// This device's keys wrote as an author that this home does not know: a copy of the home is in
    /// use, or was, before this one was put back.
    case copyInUse
    /// The group's schema says things that this version does not know.
    case upgradeNeeded
    /// A device signed a record that only a later version understands and that may change who
    /// belongs to the group: until then nobody is admitted here and the group's keys stay.
    case admissionFrozen(by: Device)
    /// A batch, or an operation of it, has no effect.
    case quarantined(batch: String)
    /// Two devices wrote different records of a log under one identifier; both are kept.
    case idCollision(collection: String, id: String)
    /// A record grew larger than this device can hold: it shows nothing here, and what is written
    /// to it has no effect here. Everything else goes on.
    case recordSetAside(collection: String, id: String)
    /// A stored batch was damaged on the disk; other devices are asked for it again.
    case damaged(batch: String)
    /// A stored batch that this device wrote was damaged on the disk, and another device that was
    /// known to have it has not sent it yet.
    case damagedOwn(batch: String)
    /// Batches of this device were lost on its disk, and no other device has them: `changes` that
    /// its records show of them were written again. Of `silent` batches no record shows anything.
    case restated(batches: Int, changes: Int, silent: Int)
    /// This device writes as a new author from now on; the reason casts doubt on its past.
    case newAuthor(reason: String)
    /// The keys of an epoch do not open or are not the announced ones.
    case badEpoch
    /// The newest keys that a device made for the group are not used; the others stay in use.
    case keysNotUsed(by: Device, KeysFault)
    /// The removal of the first device by the second stood here and has no effect any more, since
    /// other devices voted or records came that this one had not seen; with `isRole` that is so of
    /// a role that it was given. What the device wrote counts again.
    case overruled(Device, by: Device, isRole: Bool)
    /// A device runs a version that cannot read what this group seals by scope: nothing is
    /// exchanged with it.
    case scopesNotUnderstood(by: Device)
    /// A record was damaged on this disk and was made anew from its changes.
    case recordRebuilt(collection: String, id: String)
    /// A record was damaged on this disk, and so were changes of it: something may be missing.
    case recordIncomplete(collection: String, id: String)
    /// A device holds the same changes and shows something else. `checked` is true once this device
    /// has compared its records with its changes and found nothing more to mend.
    case showsOtherwise(Device, checked: Bool)
    /// An address that was given as another device's leads back to this one; it is not tried again
    /// before the network changes.
    case reachedItself(address: String)
    /// A device sends more than it may.
    case flooded(Device)
    /// A device brought so much today that the rest of it waits, or soon will: so many membership
    /// records and batches, which open to so many bytes.
    case sendsMuch(Device, records: Int, batches: Int, bytes: Int, isHeldBack: Bool)
    /// No more attached files are fetched by themselves until the next start: as many chunks as a
    /// device keeps are here.
    case attachmentsDoNotFit
    /// The schema declared on this device contradicts the group's; the sentence says where.
    case schemaContradiction(String)
    /// The disk takes no writes: nothing is written or exchanged, but reads are answered. The node
    /// tries again, and this warning ends when it succeeds.
    case notWriting(reason: String)
    /// Something is wrong with the program or its surroundings; see ``Node/integrity()``.
    case integrity([IntegrityFinding])
}

/// The reason for which keys that a device made for the group are not used.
public enum KeysFault: Equatable, Sendable {
    /// They were not given to this device.
    case leavesOut(Device)
    /// They were given to a device that is not in the group.
    case sealedToStranger
    /// This device says that what it was given does not open.
    case calledBad(by: Device)
}

extension NodeWarning {
    /// The likely error of a device's time zone, in hours and minutes; nil when its clock is not
    /// off by about a whole number of quarter hours, as zones are apart.
    public var likelyZoneError: String? {
        guard case .clockSkew(_, let milliseconds) = self else { return nil }
        let (quarter, slack): (UInt64, UInt64) = (900_000, 120_000)
        let size = milliseconds.magnitude
        let quarters = (size + quarter / 2) / quarter
        let rest = size > quarters * quarter ? size - quarters * quarter : quarters * quarter - size
        // No two zones are further apart than 26 hours.
        guard quarters > 0, quarters <= 26 * 4, rest <= slack else { return nil }
        let minutes = quarters % 4 * 15
        return "\(quarters / 4) h" + (minutes == 0 ? "" : " \(minutes) min")
    }
}

extension NodeWarning {
    /// True when it is about a record that was damaged on this disk.
    package var isOfRecord: Bool {
        switch self {
        case .recordRebuilt, .recordIncomplete: true
        default: false
        }
    }
}
