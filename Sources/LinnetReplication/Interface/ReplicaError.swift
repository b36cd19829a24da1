package import LinnetCRDT
package import LinnetCrypto
package import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// The reason why a replica refused a call, which changed nothing.
package enum ReplicaError: Error, Equatable, Sendable {
    /// This device belongs to no group yet.
    case notAMember
    /// This device was removed from its group by that one, or left it: it keeps what it has, and
    /// writes nothing.
    case removed(by: DeviceID?)
    /// This device was removed from its group with the recovery key, which nothing undoes.
    case removedByRecovery
    /// This device may read the group's records and not change them.
    case mayNotWrite
    /// This device belongs to a group already.
    case alreadyAMember
    /// The schema has no such collection.
    case unknownCollection(UInt32)
    /// The schema refuses the write.
    case schema(SchemaError)
    /// No collection of the schema has a scope of this name.
    case unknownScope(String)
    /// Every replica holds this scope.
    case scopeOfAll(String)
    /// No connected peer is known to hold all that is held here of this scope.
    case heldOnlyHere(scope: String)
    /// The record's scope is not held here and has to be subscribed to first.
    case notSubscribed(scope: String)
    /// This device is bound to other scopes than this one.
    case scopeNotGranted(String)
    /// A scope that is divided by the beginnings of identifiers cannot be granted.
    case scopeOfParts(String)
    /// A role that reads everything, or nothing, cannot be bound to scopes.
    case roleNotBound(Role)
    /// One transaction would need more than 65,535 batches.
    case commitTooLarge
    /// A schema's text is larger than a group carries.
    case schemaTooLarge
    /// One write alone is larger than a batch.
    case writeTooLarge(RecordKey)
    /// The record would be larger than a device holds.
    case recordTooLarge(RecordKey)
    /// There is no live record with this identifier beside which another one could be moved.
    case noSuchRecord(String)
    /// The keys at one place of an order are as long as they may be, and its records have to be
    /// moved apart.
    case noRoomInOrder
    /// The intent identifier is empty or longer than 64 bytes.
    case badIntent
    /// No batches of this device wait in the inbox, or none up to this number.
    case noLateWrites
    /// A number was given, and batches of several chains of the device wait.
    case severalLateChains
    /// Pairing by code is locked until this wall time.
    case pairingLocked(untilWallMilliseconds: Int64)
    /// This device lacks the data key that the call needs.
    case noEpochKey
    /// The group has a record that only a newer version understands, so this one admits nobody.
    case upgradeNeeded
    /// Another group cannot be merged into this one.
    case merge(MergeFault)
    /// The store failed.
    case storage(StorageError)
    /// The membership log refused a record.
    case membership(MembershipError)
    /// A cryptographic call refused its arguments.
    case crypto(CryptoError)
    /// Stored bytes of our own do not decode.
    case wire(WireError)
}

/// Runs a storage call where a replica's caller is answered.
func storage<Result>(
    _ body: () throws(StorageError) -> Result
) throws(ReplicaError) -> Result {
    do {
        return try body()
    } catch {
        throw .storage(error)
    }
}
