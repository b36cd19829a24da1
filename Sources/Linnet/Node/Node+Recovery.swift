import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Draws the seven words of a recovery phrase, which nobody has seen. They mean nothing until
    /// ``createRecovery(_:)`` or ``replaceRecovery(_:by:)`` takes them: let the person write them
    /// down first.
    public static func drawRecoveryWords() throws(LinnetError) -> [String] {
        var entropy = Entropy(seed: SystemEntropy.seed())
        do {
            return try RecoveryPhrase.drawn(&entropy).words
        } catch {
            throw LinnetError(error)
        }
    }

    /// Returns the state of the group's recovery phrase.
    public func recoveryStatus() throws(LinnetError) -> RecoveryStatus {
        let standing = try reading { (replica) throws(ReplicaError) in
            try replica.recoveryStanding()
        }
        return RecoveryStatus(
            phrase: RecoveryStatus.Phrase(standing.key),
            testedMilliseconds: standing.testedMilliseconds,
            opensDoors: standing.opensDoors,
            isTestDue: standing.isTestDue(at: SystemClock.now().wallMilliseconds))
    }

    /// Makes the recovery phrase of a group that this device founded. Whoever has the phrase and a
    /// copy of any device's home can remove every device, admit new ones and read everything; no
    /// device can undo it.
    ///
    /// Capitals and the kind of gaps between words do not matter. Until a phrase is made, this
    /// device holds the group's recovery key: whoever steals it unlocked can take the group over.
    public func createRecovery(_ phrase: Passphrase) throws(LinnetError) {
        try writable()
        if case .made = try recoveryStatus().phrase { throw .recovery(.made) }
        try changing { (replica) throws(ReplicaError) in
            try replica?.createRecovery(phrase.recovery(), at: SystemClock.now())
        }
    }

    /// Finds whether a phrase is the group's, without using it. Throws
    /// ``LinnetError/recovery(_:)`` when it is not.
    public func testRecovery(_ phrase: Passphrase) throws(LinnetError) {
        try requireRecoveryPhrase()
        try writable()
        try changing { (replica) throws(ReplicaError) in
            try replica?.testRecovery(phrase.recovery(), at: SystemClock.now())
        }
    }

    /// Puts another recovery phrase in the place of the group's, which must be given.
    public func replaceRecovery(
        _ phrase: Passphrase, by next: Passphrase
    ) throws(LinnetError) {
        try requireRecoveryPhrase()
        try writable()
        try changing { (replica) throws(ReplicaError) in
            try replica?.replaceRecovery(
                phrase.recovery(), by: next.recovery(), at: SystemClock.now())
        }
    }

    /// Takes devices out of the group with the recovery phrase: they cannot undo it, whatever they
    /// sign. Where one of them took this device out, it belongs to the group again.
    public func recover(
        removing lost: LostDevices, phrase: Passphrase
    ) throws(LinnetError) {
        try requireRecoveryPhrase()
        let author = replica?.reading.ownRemoval()?.author
        let targets = try lostDevices(lost, removedBy: author)
        if let author, author != device, !targets.contains(author),
            replica?.reading.isRecoveryKey(author) == false
        {
            throw .recovery(.removedBy(author.description))
        }
        try writable()
        try changing { (replica) throws(ReplicaError) in
            try replica?.removeByRecovery(targets, phrase: phrase.recovery(), at: SystemClock.now())
        }
    }

    /// The identifiers of the devices that are lost.
    private func lostDevices(
        _ lost: LostDevices, removedBy author: DeviceID?
    ) throws(LinnetError) -> [DeviceID] {
        let others = OrderedSet(try memberIDs() + (author.map { [$0] } ?? [])).elements.filter {
            $0 != device
        }
        guard case .named(let names) = lost else { return others }
        var found: [DeviceID] = []
        for name in names {
            guard let device = named(name, among: others) else { throw .noSuchDevice }
            found.append(device)
        }
        return OrderedSet(found).elements
    }

    private func requireRecoveryPhrase() throws(LinnetError) {
        switch try recoveryStatus().phrase {
        case .impossible: throw .recovery(.noKeyHere)
        case .notMade: throw .recovery(.notMade)
        case .made: return
        }
    }

    /// Runs a call that changes the replica, and performs what follows.
    private func changing(
        _ body: (inout Replica?) throws(ReplicaError) -> [Effect]?
    ) throws(LinnetError) {
        guard replica != nil else { throw absence }
        do throws(ReplicaError) {
            if let effects = try body(&replica) { perform(effects) }
        } catch {
            throw failed(error)
        }
    }
}

extension Passphrase {
    /// The same text as a recovery phrase.
    func recovery() throws(ReplicaError) -> RecoveryPhrase {
        do {
            return try RecoveryPhrase(typed: secret.bytes)
        } catch {
            throw .membership(error)
        }
    }
}

extension RecoveryStatus.Phrase {
    init(_ key: RecoveryStanding.Key) {
        self =
            switch key {
            case .absent: .impossible
            case .founding(let isHere): .notMade(here: isHere)
            case .phrase(let created): .made(atMilliseconds: created)
            }
    }
}
