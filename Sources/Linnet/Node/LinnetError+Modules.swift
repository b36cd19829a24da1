import LinnetMembership
import LinnetReplication
import LinnetStorage

extension LinnetError {
    /// A failure of the replica, as an application is told.
    init(_ error: ReplicaError) {
        self =
            switch error {
            case .notAMember: .notAMember
            case .alreadyAMember: .alreadyAMember
            case .unknownCollection(let id): .schema(.unknownCollection("\(id)"))
            case .schema(let error): .schema(error)
            case .unknownScope(let name): .scope(.unknown(name))
            case .scopeOfAll(let name): .scope(.held(name))
            case .heldOnlyHere(let name): .scope(.heldOnlyHere(name))
            case .notSubscribed(let name): .scope(.notHeld(name))
            case .commitTooLarge, .writeTooLarge, .schemaTooLarge: .tooLarge
            case .badIntent: .badIntent
            case .noSuchRecord(let id): .noSuchRecord(id)
            case .noRoomInOrder: .noRoomInOrder
            case .pairingLocked(let until): .pairing(.locked(untilMilliseconds: until))
            case .noEpochKey: .noGroupKey
            case .upgradeNeeded: .upgradeNeeded
            case .storage(let error): LinnetError(error)
            case .membership(let error): LinnetError(error)
            case .crypto(let error): .unexpected("\(error)")
            case .wire(let error): .database("stored bytes do not decode (\(error))")
            }
    }

    /// A failure of the store, as an application is told.
    init(_ error: StorageError) {
        self = .database(error.description)
    }

    /// A failure of membership, pairing or the key file, as an application is told.
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
            default: .unexpected("membership: \(error)")
            }
    }
}
