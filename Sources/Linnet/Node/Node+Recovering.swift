import LinnetReplication
import LinnetStorage
import LinnetSystem

/// The outcome of a recovery into a new home.
public struct RecoveredGroup: Equatable, Sendable {
    /// The number of batches that were taken over from the copy.
    public let batches: Int
    /// The number of batches in the copy that are damaged, or that nobody of the group signed; what
    /// they said is not here.
    public let refused: Int
    /// The device whose news in the mailbox are the newest, with the time that its clock showed
    /// then; nil where the group came from a copy.
    public let newest: MailboxSender?
    /// The sentences about what was missing or damaged in the mailbox.
    public let findings: [String]
}

extension Node {
    /// Makes a new device at `home` that belongs to the group of a copy, by the group's recovery
    /// phrase, and takes over everything in the copy. Open the home next, and take out the devices
    /// that are lost with ``recover(removing:phrase:)``.
    ///
    /// - Parameters:
    ///   - home: a new or empty directory, or that of a device which belongs to no group yet.
    ///   - copy: the home directory of any device of the group, which no process has open, or a
    ///     backup of one; its keys and passphrases are not needed, and it is not changed.
    ///   - phrase: the recovery phrase.
    ///   - device: the device to make.
    ///   - passphrase: the passphrase of the new device's key file.
    ///   - progress: told while a backup is unpacked.
    @concurrent
    public static func recover(
        at home: String, from copy: String, phrase: Passphrase, device: NewDevice,
        passphrase: Passphrase? = nil,
        progress: @Sendable @escaping (BackupProgress) -> Void = { _ in }
    ) async throws(LinnetError) -> RecoveredGroup {
        let place: Home
        do throws(HomeError) {
            place = try Home.create(at: home)
        } catch {
            throw .home(error)
        }
        let isOurs = !place.hasDevice
        do throws(LinnetError) {
            let source = try GroupCopy(at: copy, into: place, progress)
            try source.check(phrase)
            let intent: OpenedHome.Intent =
                isOurs
                ? .create(
                    name: device.name, kind: device.kind, founding: false, passphrase: passphrase)
                : .open(passphrase)
            let outcome = try adopt(source.store, at: home, intent, phrase: phrase, device)
            try GroupCopy.discard(in: place)
            return outcome
        } catch {
            // What was unpacked is of no use to anybody; the first failure is the one to tell.
            if isOurs { try? place.removeFiles() } else { try? GroupCopy.discard(in: place) }
            throw error
        }
    }

    private static func adopt(
        _ copy: SQLiteStore, at home: String, _ intent: OpenedHome.Intent, phrase: Passphrase,
        _ device: NewDevice
    ) throws(LinnetError) -> RecoveredGroup {
        let now = SystemClock.now()
        let schema = device.schema.map { SchemaChoice.given(SchemaFile($0)) }
        var opened = try OpenedHome.take(
            at: home, schema: schema ?? (intent.creates ? .learned : .kept), intent: intent,
            now: now)
        do {
            opened.replica.setProfile(name: device.name, kind: device.kind.rawValue)
            let adopted = try opened.replica.adopt(copy, phrase: phrase.recovery(), at: now).adopted
            try opened.witness.remember(opened.replica.witnessMark)
            try opened.store.close()
            return RecoveredGroup(
                batches: adopted.batches, refused: adopted.refused, newest: nil, findings: [])
        } catch {
            switch error {
            case let error as ReplicaError: throw LinnetError(error)
            case let error as HomeError: throw .home(error)
            case let error as StorageError: throw LinnetError(error)
            default: throw .unexpected("\(error)")
            }
        }
    }
}
