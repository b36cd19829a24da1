package import LinnetCRDT
package import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// The reason why a session ended.
package enum SessionEnd: Equatable, Sendable {
    /// The peer said goodbye.
    case normal
    /// Another session with the same peer stays.
    case duplicate
    /// The peer says that this device was removed.
    case removed
    /// The peer, or this device, broke the rules of the protocol.
    case protocolViolation
    /// The link ended without a goodbye.
    case truncated
    /// The peer was silent for too long.
    case timeout
    /// The peer is going down.
    case shutdown
    /// The person on the other side said no.
    case denied
    /// The peer belonged to this group, and was told that it does no more.
    case formerMember
    /// The peer is not a member of this group.
    case unknownPeer
    /// The peer holds no key of this group, or typed another code.
    case pskMismatch
    /// The link leads from this device back to itself.
    case itself
    /// The handshake failed for another reason.
    case handshakeFailed
    /// The peer closed with another code.
    case other(code: UInt16)
}

/// The reason why a pairing failed.
package enum PairingFailure: Equatable, Sendable {
    /// The code or ticket was not the right one.
    case wrongSecret
    /// The code is dead after three wrong guesses.
    case codeDead
    /// Pairing by code is locked after too many dead codes.
    case locked
    /// The code or ticket is too old.
    case expired
    /// The person said no.
    case denied
    /// Both devices are members, or neither is.
    case exactlyOneMemberNeeded
    /// The certificate is not the one that the ticket names.
    case wrongDevice
    /// The link closed after the other side's answer, probably because of a wrong code.
    case closedAfterAnswer
    /// The link closed early, or its bytes made no sense.
    case interrupted
    /// The group takes no more devices, the newcomer was removed, or the record was refused.
    case refused
    /// The newcomer's schema contradicts the group's.
    case schemaContradiction
    /// The newcomer's version does not know devices that are bound to scopes, of which the group
    /// has or had one, or the newcomer is to be one.
    case olderVersion
}

/// Something that deserves attention, and never stops synchronisation by itself.
package enum Warning: Equatable, Sendable {
    /// An author wrote another history of what is folded here; it is passed over.
    case historyPassedOver(DeviceID)
    /// A peer folded changes that this device lacks, and does not take on the peer's word alone or
    /// cannot put under what it folded itself.
    case basesDiffer(DeviceID)
    /// A peer's clock differs by this much (theirs minus ours).
    case clockSkew(DeviceID, milliseconds: Int64)
    /// An author wrote two histories; both were kept.
    case authorForked(DeviceID)
    /// A peer that was met before came back as a new author, since its home was copied or restored.
    /// Of this device itself: it wrote as an author that this home does not know.
    case authorRenewed(DeviceID)
    /// A member signed a record that only a later version understands and that may change who
    /// belongs to the group: nobody is admitted here and no keys are changed meanwhile.
    case admissionFrozen(by: DeviceID)
    /// A removal of the first device by the second, or a role that it was given, stood here and
    /// has no effect any more, since other records came.
    case overruled(DeviceID, by: DeviceID, isRole: Bool)
    /// A peer runs a version that cannot read what this group seals by scope; nothing is exchanged
    /// with it.
    case scopesNotUnderstood(DeviceID)
    /// A batch, or one operation of it, has no effect.
    case quarantined(BatchID, operation: UInt32?)
    /// Two devices wrote different records of a log under one identifier; both are kept.
    case idCollision(RecordKey)
    /// A record takes more memory than this device can be asked for: its contents were let go of,
    /// and what is written in this life of it has no effect here. Everything else goes on.
    case recordSetAside(RecordKey)
    /// The bytes of a stored batch changed on the disk; peers are asked for it again.
    case damagedBatch(BatchID)
    /// The bytes of a stored batch of this device changed, and perhaps nobody else has it.
    case damagedOwnBatch(BatchID)
    /// Batches of this device were lost on its disk, and nobody else has them; what its records
    /// show of them is said again.
    case batchesRestated(RestatingReport)
    /// This device writes under a new incarnation from now on.
    case incarnationRotated(String)
    /// An epoch's keys do not open or do not match their commitment.
    case badEpoch(EpochID)
    /// The newest keys that a member made for the group are not used, and why.
    case keysNotUsed(by: DeviceID, EpochFault)
    /// The row of a record was not the one that was written last, and is made anew from the log.
    case rowRebuilt(RecordKey)
    /// The row of a record is made anew from the log, but something may be missing, since batches
    /// are damaged too.
    case rowIncomplete(RecordKey)
    /// A peer holds the same batches and shows something else; `checked` is true once this side has
    /// compared its rows with its log.
    case showsOtherwise(DeviceID, checked: Bool)
    /// A peer sends more than it may, or more batches out of order than may wait.
    case flooded(DeviceID)
    /// No more chunks of files may be kept: none is fetched by policy until the next start.
    case filesDoNotFit
    /// A device brought so much today that the rest has to wait, or soon will.
    case sendsMuch(DeviceID, today: Arrivals, isHeldBack: Bool)
}

/// A report of a replica to those who observe it.
package enum Event: Equatable, Sendable {
    /// The peer is authenticated and both sides are open.
    case sessionOpened(LinkID, device: DeviceID, incarnation: Incarnation)
    /// A link ended; the device is nil when it never proved who it was.
    case sessionClosed(LinkID, device: DeviceID?, reason: SessionEnd)
    /// The operations of a batch became visible.
    case batchApplied(
        scope: ScopeID, device: DeviceID, seq: UInt64, operations: Int, local: Bool)
    /// Something new was merged into these records; it may have lost to what was there.
    case recordsChanged(ChangedKeys)
    /// This device and a peer hold the same batches, and both know it.
    case peerInStep(device: DeviceID)
    /// A newcomer proved that it knows the secret; the person decides.
    case pairingRequest(LinkID, name: String, kind: String, fingerprint: [String])
    /// A member shows the group's schema before it admits this device; the text is empty when there
    /// is none. The shell answers with `Input.schemaJudged`.
    case schemaShown(LinkID, [UInt8])
    /// A pairing failed.
    case pairingFailed(LinkID?, PairingFailure, triesLeft: Int?)
    /// A pairing succeeded; the newcomer is a member now.
    case paired(LinkID, device: DeviceID, name: String)
    /// A device joined the group.
    case memberAdded(DeviceID)
    /// A device belongs to the group no more, by the word of another one, or its own.
    case memberRemoved(DeviceID, by: DeviceID?)
    /// An admin asks this device, which was removed, to destroy itself.
    case wipeAsked(by: DeviceID)
    /// A peer that showed something else shows the same again.
    case differenceEnded(device: DeviceID)
    /// More of a file that is fetched is here; the bytes are those of its content.
    case fileGrew(Bytes32, done: UInt64, of: UInt64)
    /// A file is here, or the reason why it is not fetched any more.
    case fileEnded(Bytes32, FileFault?)
    /// Something deserves attention.
    case warning(Warning)
    /// The store failed; nothing more was sent, and the shell must stop.
    case storeFailed(StorageError)
}
