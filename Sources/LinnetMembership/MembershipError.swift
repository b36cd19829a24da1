package import LinnetWire

/// An error of membership records, keys and pairing; no case carries a secret.
package enum MembershipError: Error, Equatable, Sendable {
    // MARK: Records

    /// The bytes are not in the canonical form of what they claim to be.
    case malformed(WireError)
    /// A membership record is larger than `Limits.memberRecordBytes`.
    case recordTooLarge
    /// A certificate's self-signature is wrong, or two of its keys are equal.
    case badCertificate
    /// A record's signature is wrong.
    case badSignature
    /// The record belongs to another group.
    case wrongGroup
    /// The first record of a log is not a genesis record.
    case notAGenesis
    /// The logical time of a record is not one above its latest parent's.
    case badLamport
    /// The author is unknown among the record's own ancestors, or this device has no right to the
    /// record that it is asked for.
    case notEntitled
    /// The device does not belong to the group.
    case notAMember
    /// The group would have no admin left.
    case lastAdmin
    /// The votes of the members leave the record that this device is asked for without effect.
    case outvoted
    /// A key of the added device already belongs to another certificate of the group.
    case keyReused
    /// The device was removed from the group with this certificate, which never comes back.
    case certificateRemoved
    /// The number of an epoch is not the one that follows those of the epochs before it.
    case badEpochNumber
    /// The box of an admission does not fit the device's role.
    case badRecipients
    /// The group has as many active devices as it may have.
    case tooManyDevices
    /// A device was to be bound to more scopes than a record names.
    case tooManyScopes
    /// These members run a version that cannot read what is sealed by scope, or were not heard from
    /// since they do.
    case scopesNotUnderstood([DeviceID])
    /// As many records as allowed come before this one.
    case tooManyRecords
    /// This device keeps no more records of the group.
    case noRoom
    /// A record that only a later version understands may forbid this.
    case upgradeNeeded
    /// As many records as allowed already wait for their parents.
    case tooManyParked

    // MARK: Recovery

    /// The group has no recovery key, or this device does not hold the one that it needs.
    case noRecoveryKey
    /// The phrase is not that of the group's recovery key.
    case wrongRecoveryPhrase
    /// The phrase has fewer than twelve characters.
    case recoveryPhraseTooShort
    /// The phrase has more than 1,024 bytes.
    case recoveryPhraseTooLong

    // MARK: Epoch keys

    /// This device does not hold the keys of the current epoch.
    case epochKeyMissing
    /// The sealed keys of an epoch do not open, or are not those that its author committed to.
    case badEpoch

    // MARK: Pairing

    /// A pairing code has six digits.
    case codeNotSixDigits
    /// The text is not a pairing address.
    case badTicket
    /// The pairing address was made by a newer version.
    case ticketFromTheFuture
    /// The code's time is over, or it is no longer on screen.
    case codeExpired
    /// The code has no tries left.
    case codeDead
    /// Too many codes died: pairing by code is locked until this Unix time.
    case codePairingLocked(untilWallMilliseconds: Int64)
    /// The time of the pairing address is over.
    case ticketExpired
    /// The pairing address was used, or failed too often.
    case ticketSpent
    /// The other side sent a share that is not a group element to compute with.
    case badShare
    /// The other side answers with our own messages.
    case reflected
    /// The other side's certificate does not belong to this channel.
    case badBinding
    /// The device at the pairing address is another one than the address names.
    case wrongDevice
    /// A name or kind is too long or has control characters.
    case badLabel
    /// Neither device belongs to a group.
    case bothNewcomers
    /// Both devices belong to the same group already.
    case sameGroup
    /// Both devices belong to a group, but not to the same one.
    case differentGroups
    /// The welcome does not make this device a member with keys.
    case incompleteWelcome
    /// The group's records exceed one message.
    case welcomeTooLarge

    // MARK: Key file

    /// The file is not a key file.
    case notAKeyFile
    /// The key file ends early.
    case keyFileTruncated
    /// Bytes of the key file were changed.
    case keyFileDamaged
    /// The key file was written by a newer version.
    case keyFileFromTheFuture
    /// The key file asks for more memory or time than is allowed.
    case keyFileCostRefused
    /// The key file is locked by a passphrase, and none was given.
    case passphraseNeeded
    /// The passphrase does not open the key file.
    case wrongPassphrase
    /// The memory for the passphrase hash is not available.
    case outOfMemory

    /// True for what other versions may find no fault in.
    var isOfAnotherVersion: Bool {
        switch self {
        case .notEntitled, .badEpochNumber, .badRecipients, .badCertificate, .malformed: true
        default: false
        }
    }

    /// True when every replica judges the same bytes the same way, now and later.
    package var isPermanent: Bool {
        switch self {
        case .malformed, .recordTooLarge, .badCertificate, .badSignature, .wrongGroup,
            .notAGenesis, .badLamport, .notEntitled, .keyReused, .badEpochNumber,
            .badRecipients, .tooManyDevices, .tooManyRecords:
            true
        default:
            false
        }
    }
}
