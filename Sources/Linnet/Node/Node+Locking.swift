import LinnetReplication
import LinnetWire
import Synchronization

extension Node {
    /// Takes the keys out of memory: sessions end, the database closes, and until ``unlock(_:)``
    /// every other call throws ``LinnetError/locked``.
    ///
    /// The node keeps its home and goes on answering commands. Throws
    /// ``LinnetError/noPassphrase`` when the key file has none: whoever reads it has the keys then,
    /// and taking them out of memory would protect nothing.
    public func lock() throws(LinnetError) {
        try running()
        guard try KeyFileStore.needsPassphrase(home) else { throw .noPassphrase }
        portBeforeLock = port
        standDown(.locked)
        isLocked = true
        ProcessHardening.giveBackFreeMemory()
        observers.send(.locked)
    }

    /// Opens a locked node's home again, and takes part as before.
    ///
    /// On a disk that takes no writes the home is read and does not take part; ``lock()`` and this
    /// once more let it, when that is mended. Throws ``LinnetError/wrongPassphrase``, and stays
    /// locked, when the key file does not open.
    public func unlock(_ passphrase: Passphrase) throws(LinnetError) {
        guard isLocked, let homeLock else { throw replica == nil ? .stopped : .notLocked }
        let opened = try reopened(homeLock, passphrase)
        let unwritable = opened.unwritable
        disk.withLock { $0 = unwritable }
        store = opened.store
        effects = opened.effects
        homeSchema = opened.schema
        replica = .some(opened.replica)
        show(homeSchema)
        isLocked = false
        do throws(LinnetError) {
            try resume()
        } catch {
            standDown(.locked)
            isLocked = true
            throw error
        }
        observers.send(.unlocked)
    }

    /// Changes what protects the key file; the node may be locked or not.
    public func changePassphrase(_ change: PassphraseChange) throws(LinnetError) {
        guard homeLock != nil else { throw .stopped }
        let home = home
        try witness.keepingGood { () throws(LinnetError) in
            try change.perform(in: home)
        }
    }

    /// Changes what protects the key file of a home that no process has open.
    public static func changePassphrase(
        at home: String, _ change: PassphraseChange
    ) throws(LinnetError) {
        do {
            let opened = try Home.open(at: home)
            let lock = try HomeLock(opened)
            defer { withExtendedLifetime(lock) {} }
            if opened.isBeingRestored { throw HomeError.restoreUnfinished(path: opened.path) }
            try opened.requireDatabase()
            var witness = Witness(opened)
            try witness.keepingGood { () throws(LinnetError) in
                try change.perform(in: opened)
            }
        } catch let error as LinnetError {
            throw error
        } catch let error as HomeError {
            throw .home(error)
        } catch {
            throw .unexpected("\(error)")
        }
    }

    /// Opens the home, for reading alone where the disk takes no writes.
    private func reopened(
        _ lock: HomeLock, _ passphrase: Passphrase
    ) throws(LinnetError) -> OpenedHome {
        let schema = homeSchema.isFixed ? SchemaChoice.given(homeSchema.file) : .kept
        do throws(LinnetError) {
            // The lock was held all the while, so the witness is still this process's own; one made
            // anew would need room that a full disk does not have.
            let opened = try OpenedHome.take(
                home, lock, schema: schema, intent: .open(passphrase), now: SystemClock.now(),
                renewsWitness: false)
            do throws(HomeError) {
                try witness.remember(opened.replica.witnessMark)
            } catch {
                throw .home(error)
            }
            return opened
        } catch {
            guard let problem = DiskProblem.behind(error, in: home) else { throw error }
            return try OpenedHome.take(
                home, lock, schema: schema, intent: .open(passphrase), now: SystemClock.now(),
                unwritable: problem)
        }
    }

    /// Takes part again after an unlocking, at the port that others know if it is still free.
    private func resume() throws(LinnetError) {
        guard let options, unwritable == nil else { return drain() }
        try openCompanion(options.companionLink)
        if let text = options.listen {
            let before = portBeforeLock.flatMap { port in
                Endpoint(parsing: text).map { Endpoint(host: $0.host, port: port).description }
            }
            do throws(LinnetError) {
                try listen(at: before ?? text)
            } catch {
                guard before != nil else { throw error }
                try listen(at: text)
            }
        }
        takePart(
            with: try options.peers.map { (text) throws(LinnetError) in try peerEndpoint(text) })
    }
}
