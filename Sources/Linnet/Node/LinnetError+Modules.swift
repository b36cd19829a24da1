import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

extension LinnetError {
    /// Returns a failure of the replica in the form that an application is told.
    init(_ error: ReplicaError) {
        self =
            switch error {
            case .notAMember: .notAMember
            case .removed(let author): .removed(by: author?.description)
            case .removedByRecovery: .recovery(.removed)
            case .mayNotWrite: .mayNotWrite
            case .alreadyAMember: .alreadyAMember
            case .unknownCollection(let id): .schema(.unknownCollection("\(id)"))
            case .schema(let error): .schema(error)
            case .unknownScope(let name): .scope(.unknown(name))
            case .scopeOfAll(let name): .scope(.held(name))
            case .heldOnlyHere(let name): .scope(.heldOnlyHere(name))
            case .notSubscribed(let name): .scope(.notHeld(name))
            case .scopeNotGranted(let name): .scope(.notGranted(name))
            case .scopeOfParts(let name): .scope(.ofParts(name))
            case .roleNotBound(let role): .scope(.ofRole(DeviceRole(role)))
            case .commitTooLarge, .writeTooLarge, .schemaTooLarge: .tooLarge
            case .badIntent: .badIntent
            case .noSuchRecord(let id): .noSuchRecord(id)
            case .recordTooLarge(let key): .recordTooLarge(key.record.description)
            case .noRoomInOrder: .noRoomInOrder
            case .noLateWrites: .noLateWrites
            case .severalLateChains: .severalLateChains
            case .pairingLocked(let until): .pairing(.locked(untilMilliseconds: until))
            case .noEpochKey: .noGroupKey
            case .upgradeNeeded: .upgradeNeeded
            case .merge(let fault): .merge(MergeProblem(fault))
            case .storage(let error): LinnetError(error)
            case .membership(let error): LinnetError(error)
            case .crypto(let error): .unexpected("\(error)")
            case .wire(let error): .database("stored bytes do not decode (\(error))")
            }
    }

    /// Returns a failure of the store in the form that an application is told.
    init(_ error: StorageError) {
        self = .database(error.description)
    }

    /// Returns a failure of membership, pairing or the key file in the form that an application is
    /// told.
    init(_ error: MembershipError) {
        self =
            switch error {
            case .codeNotSixDigits: .pairing(.badCode)
            case .badTicket: .pairing(.badURI)
            case .ticketFromTheFuture: .pairing(.newerURI)
            case .codeExpired, .ticketExpired, .ticketSpent: .pairing(.expired)
            case .codeDead: .pairing(.codeDead)
            case .codePairingLocked(let until): .pairing(.locked(untilMilliseconds: until))
            case .wrongDevice: .pairing(.wrongDevice)
            case .notAKeyFile, .keyFileTruncated, .keyFileDamaged: .keyFile("it is damaged")
            case .keyFileFromTheFuture: .keyFile("it is of a newer version")
            case .keyFileCostRefused: .keyFile("its passphrase costs more than is allowed")
            case .passphraseNeeded: .passphraseNeeded
            case .wrongPassphrase: .wrongPassphrase
            case .outOfMemory: .keyFile("memory ran out")
            case .notAMember: .noSuchDevice
            case .lastAdmin: .lastAdmin
            case .noRecoveryKey: .recovery(.noKeyHere)
            case .wrongRecoveryPhrase: .recovery(.wrongPhrase)
            case .recoveryPhraseTooShort: .recovery(.tooShort)
            case .recoveryPhraseTooLong: .recovery(.tooLong)
            case .outvoted: .outvoted
            case .tooManyScopes: .scope(.tooMany)
            case .scopesNotUnderstood(let devices):
                .scope(
                    .notUnderstood(devices.map { Device(id: $0.description, name: "") }))
            case .notEntitled: .notAnAdmin
            default: .unexpected("membership: \(error)")
            }
    }
}
