import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// Makes a new device at `home` that belongs to the group whose devices left doors in a
    /// mailbox, by the group's recovery phrase, and takes over everything that lies there. Nothing
    /// is left there yet: open the home next, take out the devices that are lost with
    /// ``recover(removing:phrase:)``, and let the others know with ``syncMailboxes(dryRun:)``.
    ///
    /// A store that shows an old state leads to an old state: ``RecoveredGroup/newest`` says of
    /// when the newest thing there is. What was written later and is not there is not here.
    ///
    /// Throws ``LinnetError/recovery(_:)`` with ``RecoveryProblem/noDoor(_:)`` where there is no
    /// door, none opens, or it leads to nothing that the phrase vouches for; nothing stays in the
    /// home then. A call that is cut short, or cannot remove what it made, can be repeated, and
    /// begins anew; until then the home says that it is unfinished.
    ///
    /// - Parameters:
    ///   - home: a new or empty directory.
    ///   - address: the place, as for ``addMailbox(_:credentials:)``.
    ///   - credentials: the account with a store over HTTP, which the new home keeps.
    ///   - phrase: the recovery phrase, which has to be one that was drawn: see
    ///     ``RecoveryStatus/opensDoors``.
    ///   - device: the device to make.
    ///   - passphrase: the passphrase of the new device's key file.
    @concurrent
    public static func recover(
        at home: String, fromMailbox address: String, credentials: MailboxCredentials? = nil,
        phrase: Passphrase, device: NewDevice, passphrase: Passphrase? = nil
    ) async throws(LinnetError) -> RecoveredGroup {
        let store = try open(address, credentials?.access)
        let found = try search(store, phrase)
        let place: Home
        let lock: HomeLock
        do throws(HomeError) {
            place = try Home.create(at: home)
            lock = try HomeLock(place)
        } catch {
            throw .home(error)
        }
        do throws(LinnetError) {
            try place.beginRecovery()
            let outcome = try MailboxRecovery(
                place, lock, found, at: address, store, credentials, phrase
            ).run(device, passphrase)
            try place.endRecovery()
            return outcome
        } catch {
            // Nothing was left in the mailbox yet, so that nobody knows of this device.
            place.abandonRecovery()
            throw error
        }
    }

    private static func search(
        _ store: any Mailbox, _ phrase: Passphrase
    ) throws(LinnetError) -> FoundGroup {
        do {
            return try DoorSearch.find(phrase.recovery()) { MailDesk.answer($0, by: store) }
        } catch let fault as DoorFault {
            switch fault {
            case .store(let reason): throw LinnetError.mailbox(reason)
            case .phrase(let error): throw LinnetError(error)
            default: throw LinnetError.recovery(.noDoor(fault.sentence))
            }
        } catch let error as ReplicaError {
            throw LinnetError(error)
        } catch {
            throw .unexpected("\(error)")
        }
    }
}

/// The recovery of a group from a mailbox into a home that this process holds.
private struct MailboxRecovery {
    private let home: Home
    private let lock: HomeLock
    private let found: FoundGroup
    private let address: String
    private let store: any Mailbox
    private let credentials: MailboxCredentials?
    private let phrase: Passphrase

    init(
        _ home: Home, _ lock: HomeLock, _ found: FoundGroup, at address: String,
        _ store: any Mailbox, _ credentials: MailboxCredentials?, _ phrase: Passphrase
    ) {
        (self.home, self.lock, self.found) = (home, lock, found)
        (self.address, self.store, self.credentials) = (address, store, credentials)
        self.phrase = phrase
    }

    /// Makes the device, enters the group, and reads the mailbox until nothing in it is new.
    func run(
        _ device: NewDevice, _ passphrase: Passphrase?
    ) throws(LinnetError) -> RecoveredGroup {
        let now = SystemClock.now()
        var access = CBORWriter()
        if let credentials { credentials.access.write(to: &access) }
        let schema = device.schema.map { SchemaChoice.given(SchemaFile($0)) }
        var opened = try OpenedHome.take(
            home, lock, schema: schema ?? .learned,
            intent: .create(
                name: device.name, kind: device.kind, founding: false, passphrase: passphrase),
            now: now, isRecovering: true)
        do {
            let (mailbox, _) = try opened.replica.rejoin(
                found, phrase: phrase.recovery(), mailbox: address, access: access.bytes, at: now)
            let look = try read(mailbox, &opened)
            try opened.witness.remember(opened.replica.witnessMark)
            let view = opened.replica.mailboxes.first { $0.id == mailbox }
            guard let newest = view?.heard.max(by: { $0.wallMilliseconds < $1.wallMilliseconds })
            else { throw LinnetError.recovery(.noDoor(Self.noHeads)) }
            let device = try opened.replica.named(newest.device)
            try opened.store.close()
            return RecoveredGroup(
                batches: look.batches, refused: 0,
                newest: MailboxSender(
                    device: device, leftMilliseconds: Int64(clamping: newest.wallMilliseconds)),
                findings: look.findings)
        } catch {
            switch error {
            case let error as LinnetError: throw error
            case let error as ReplicaError: throw LinnetError(error)
            case let error as HomeError: throw .home(error)
            case let error as StorageError: throw LinnetError(error)
            default: throw .unexpected("\(error)")
            }
        }
    }

    private static let noHeads =
        "its doors open, but nothing that any device wrote lies there, or none of it can be read"

    /// Reads the mailbox, look by look, until nothing is new.
    private func read(
        _ mailbox: MailboxID, _ opened: inout OpenedHome
    ) throws -> MailboxLook {
        var look = MailboxLook(address: address)
        var isRepeated = true
        while isRepeated {
            var effects = try opened.replica.beginMailReading(mailbox, at: SystemClock.now())
            var round: MailRound?
            while round == nil {
                guard let next = effects.lazy.compactMap(\.mail).first else {
                    throw LinnetError.unexpected("a look into the mailbox has no end")
                }
                effects = []
                switch next {
                case .ended(_, let ended): round = ended
                case .ask(let id, let request):
                    let answer = MailDesk.answer(request, by: store)
                    effects = opened.replica.handle(
                        .mailAnswered(id, request, answer), at: SystemClock.now())
                    while opened.replica.isShowingDue, !opened.replica.hasFailed {
                        effects += opened.replica.goOnShowing(at: SystemClock.now())
                    }
                }
            }
            guard let round else { break }
            if let reason = round.failure { throw LinnetError.mailbox(reason) }
            var names: [DeviceID: Device] = [:]
            for case .withheld(let device) in round.facts {
                names[device] = try opened.replica.named(device)
            }
            for case .twoHeads(let device) in round.facts {
                names[device] = try opened.replica.named(device)
            }
            look.add(round) { names[$0] ?? Device(id: $0.description, name: "") }
            isRepeated = round.isRepeated
        }
        return look
    }
}

extension Effect {
    fileprivate var mail: MailEffect? { if case .mail(let effect) = self { effect } else { nil } }
}

extension Home {
    /// Marks a new or empty home as one that is being recovered, and removes what an earlier try
    /// that was cut short left there.
    fileprivate func beginRecovery() throws(LinnetError) {
        do throws(HomeError) {
            if isBeingRecovered { return try removeUnmarked() }
            if isBeingRestored { throw .restoreUnfinished(path: path) }
            if hasDevice { throw .keyFileExists(path: path(of: .key)) }
            try requireDatabase()
            try OpenFile.creating(at: "\(path)/\(Leftover.recovery.rawValue)").synchronize()
            try directory.synchronize()
        } catch {
            throw .home(error)
        }
    }

    /// Removes everything but the lock and the mark.
    private func removeUnmarked() throws(HomeError) {
        let mark = Leftover.recovery.rawValue
        let others = File.allCases.filter { $0 != .lock }.map(\.rawValue)
        for name in others + Leftover.allCases.map(\.rawValue) where name != mark {
            try directory.remove(name)
        }
    }

    /// Removes a home whose recovery failed, its mark last.
    fileprivate func abandonRecovery() {
        guard isNew || isBeingRecovered else { return }
        do throws(HomeError) {
            try removeUnmarked()
            try removeFiles()
        } catch {
            // The mark stays, and says at the next call that the home is unfinished.
        }
    }

    /// Takes the mark away: from now on the home is that of a member.
    fileprivate func endRecovery() throws(LinnetError) {
        do throws(HomeError) {
            try directory.remove(Leftover.recovery.rawValue)
            try directory.synchronize()
        } catch {
            throw .home(error)
        }
    }
}

extension DoorFault {
    /// The reason in words, without a stop.
    fileprivate var sentence: String {
        switch self {
        case .none:
            "there is no door; devices leave one where the recovery words were drawn, and not"
                + " chosen, and were made or tested since devices do so"
        case .closed(let doors, let damaged, let later, let tooCostly):
            Self.closed(doors, damaged: damaged, later: later, tooCostly: tooCostly)
        case .incomplete:
            "a door opens, but the records of the group to which it leads are missing or damaged"
        case .planted:
            "a door opens to a group for which these words never vouched: somebody planted it"
        case .replaced: "other words took the place of these"
        case .severalGroups: "these words open doors of several groups there"
        case .store(let reason): reason
        case .phrase(let error): "\(error)"
        }
    }

    private static func closed(_ doors: Int, damaged: Int, later: Int, tooCostly: Int) -> String {
        var parts: [String] = []
        if damaged > 0 { parts.append("\(damaged) damaged or not given") }
        if later > 0 { parts.append("\(later) of a later version") }
        if tooCostly > 0 { parts.append("\(tooCostly) that would cost too much to try") }
        let known = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return "of \(doors) doors there none opens with these words\(known): the words are other"
            + " ones, or the doors are of other groups"
    }
}
