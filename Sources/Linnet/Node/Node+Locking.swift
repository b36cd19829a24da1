import LinnetSystem

extension Node {
    /// Takes the keys out of memory: sessions end, the database closes, and until ``unlock(_:)``
    /// every other call throws ``LinnetError/locked``.
    ///
    /// The node keeps its home and goes on answering commands. Throws ``LinnetError/noPassphrase``
    /// when the key file has none: whoever reads it has the keys then, and taking them out of
    /// memory would protect nothing.
    public func lock() throws(LinnetError) {
        try running()
        guard try KeyFileStore.needsPassphrase(home) else { throw .noPassphrase }
        standDown(.locked)
        endOutage()
        homeDesk.isLocked = true
        ProcessHardening.giveBackFreeMemory()
        observers.send(.locked)
    }

    /// Locks the node as ``lock()`` does whenever nobody used it for so long, up to a day; nil for
    /// never, which is the beginning.
    ///
    /// Use is a command other than `status`, and what ``noteUse()`` tells; what goes on with other
    /// devices, and a view that only follows changes, is none. Throws
    /// ``LinnetError/noPassphrase`` when the key file has none.
    public func lockWhenUnused(for pause: Duration?) throws(LinnetError) {
        try running()
        if pause != nil, try !KeyFileStore.needsPassphrase(home) { throw .noPassphrase }
        upkeep.locks(after: pause.map { max(1, $0.wholeMilliseconds) }, at: SystemClock.now())
        settle()
    }

    /// Notes that the person uses the device, which puts off the locking of
    /// ``lockWhenUnused(for:)``. Commands do so by themselves; an application calls it when its
    /// person touches it.
    public func noteUse() {
        upkeep.noteUse(at: SystemClock.now())
        settle()
    }

    /// Notes that a command begins, and again that it has ended.
    func noteCommand(isOver: Bool) {
        let now = SystemClock.now()
        if isOver { upkeep.commandEnded(at: now) } else { upkeep.commandBegan(at: now) }
        settle()
    }

    /// Locks the device that nobody used for long. One that cannot be locked, since its passphrase
    /// was taken away meanwhile, stops: its keys leave the memory all the same.
    func lockUnused() {
        guard !isLocked else { return }
        do throws(LinnetError) {
            try lock()
        } catch {
            shutDown(reason: "nobody used it, and it cannot be locked: \(error)")
        }
    }

    /// Opens a locked node's home again, and takes part as before.
    ///
    /// On a disk that takes no writes the home is only read, and the node tries again as it does
    /// after every write that the disk refused. Throws ``LinnetError/wrongPassphrase``, and stays
    /// locked, when the key file does not open.
    public func unlock(_ passphrase: Passphrase) throws(LinnetError) {
        guard isLocked, let homeLock = homeDesk.lock else {
            throw replica == nil ? .stopped : .notLocked
        }
        do throws(LinnetError) {
            takeOver(
                try OpenedHome.take(
                    home, homeLock, schema: schemas.choice, intent: .open(passphrase),
                    now: SystemClock.now()))
        } catch {
            try readOn(unlocking: homeLock, passphrase, error)
        }
        homeDesk.isLocked = false
        if let order = orderLeft() {
            shutDown(reason: order.description)
            throw order
        }
        do throws(LinnetError) {
            try meetIntegrity()
            if outages.isOut { settle() } else { try resume() }
        } catch {
            standDown(.locked)
            homeDesk.isLocked = true
            throw error
        }
        observers.send(.unlocked)
    }

    /// Changes the passphrase of the key file; the node may be locked or not.
    public func changePassphrase(_ change: PassphraseChange) throws(LinnetError) {
        guard homeDesk.lock != nil else { throw .stopped }
        let home = home
        try homeDesk.witness.keepingGood { () throws(LinnetError) in
            try change.perform(in: home)
        }
    }

    /// Changes the passphrase of the key file in a home that no process has open.
    public static func changePassphrase(
        at home: String, _ change: PassphraseChange
    ) throws(LinnetError) {
        do {
            let opened = try Home.open(at: home)
            let lock = try HomeLock(opened)
            defer { withExtendedLifetime(lock) {} }
            try opened.requireFinished()
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

    /// Takes part again, at the port that others know if it is still free.
    func resume() throws(LinnetError) {
        upkeep.noteUse(at: SystemClock.now())
        guard let options = connections.options else { return drain() }
        try openCompanion(options.companionLink)
        if let text = options.listen {
            let before = connections.entrance.lastPort.flatMap { port in
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
