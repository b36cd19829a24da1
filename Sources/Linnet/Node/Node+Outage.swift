import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import Synchronization

extension Node {
    /// Why nothing is written at the moment; nil while the home takes writes.
    ///
    /// Reads are answered meanwhile. A node whose disk refused a write ends its sessions and tries
    /// again by itself; that it began and that it is over comes as
    /// ``NodeWarning/notWriting(reason:)``.
    public var refusesWrites: LinnetError? {
        outage?.reason ?? unwritable.map(LinnetError.home)
    }

    /// The store, or what is written beside it, failed: the node says nothing more of what it has
    /// not kept, and goes on reading, or ends where that helps nobody.
    func stumble(_ error: LinnetError, mayPass: Bool) {
        guard stumbled == nil, outage == nil else { return }
        effects = []
        stumbled = (error, mayPass)
        drain()
    }

    func stumble(_ error: StorageError) {
        stumble(
            error.mayPass ? DiskProblem.told(error, in: home) : LinnetError(error),
            mayPass: error.mayPass)
    }

    /// What is left to do once the call under way has ended.
    func meetStumble() {
        guard let (error, mayPass) = stumbled else { return }
        stumbled = nil
        guard mayPass, let keys = replica?.copyOfKeys() else {
            return shutDown(reason: error.description)
        }
        portBefore = port ?? portBefore
        standDown(error)
        stumbled = nil
        let now = SystemClock.uptimeMilliseconds()
        outage = Outage(error, keys: keys, after: lastOutage, at: now)
        readOn()
        hold(.notWriting(reason: error.description), isSo: true)
        settle()
    }

    /// Opens the home for reading alone; where that fails too, reads are told the reason.
    private func readOn() {
        guard let homeLock, let reason = outage?.reason, let keys = outage?.keys.copy() else {
            return
        }
        let problem = DiskProblem.standing(behind: reason, in: home)
        trouble.withLock { $0 = problem }
        do throws(LinnetError) {
            takeOver(
                try OpenedHome.take(
                    home, homeLock, schema: schemaChoice, intent: .open(nil),
                    now: SystemClock.now(), unwritable: problem, keys: keys))
            effects = []
        } catch {
            // The state says why nothing is read.
            store = nil
        }
    }

    /// Opens a locked home for reading alone, where what kept it from being opened is a disk that
    /// takes no writes; else throws that.
    func readOn(
        unlocking lock: HomeLock, _ passphrase: Passphrase, _ error: LinnetError
    ) throws(LinnetError) {
        guard let problem = DiskProblem.behind(error, in: home) else { throw error }
        takeOver(
            try OpenedHome.take(
                home, lock, schema: schemaChoice, intent: .open(passphrase),
                now: SystemClock.now(), unwritable: problem))
        effects = []
        guard let keys = replica?.copyOfKeys() else { throw error }
        trouble.withLock { $0 = problem }
        outage = Outage(
            error, keys: keys, after: lastOutage, at: SystemClock.uptimeMilliseconds())
        hold(.notWriting(reason: error.description), isSo: true)
    }

    /// Opens the home for writing again, if the disk takes writes, and takes part as before.
    func tryAgain() {
        guard let homeLock, outage != nil, !isPerforming else { return }
        let now = SystemClock.now()
        guard outage?.mayTry(at: now.uptimeMilliseconds) == true else { return }
        guard home.takesWrites, let keys = outage?.keys.copy() else { return failAgain(now) }
        closeReplica()
        do throws(LinnetError) {
            takeOver(
                try OpenedHome.take(
                    home, homeLock, schema: schemaChoice, intent: .open(nil), now: now, keys: keys))
        } catch {
            readOn()
            return failAgain(now)
        }
        lastOutage = Outage.Ended(tries: outage?.tries ?? 0, at: now.uptimeMilliseconds)
        endOutage()
        do throws(LinnetError) {
            try resume()
        } catch {
            shutDown(reason: error.description)
        }
    }

    /// The home takes writes, or nobody asks any more whether it does.
    func endOutage() {
        outage = nil
        trouble.withLock { $0 = nil }
        endWarnings { $0.kind == .notWriting }
    }

    private func failAgain(_ now: Moment) {
        outage?.tried(at: now.uptimeMilliseconds)
        settle()
    }

    /// The home with its replica is this node's from now on.
    func takeOver(_ opened: consuming OpenedHome) {
        store = opened.store
        effects = opened.effects
        witness = opened.witness
        homeSchema = opened.schema
        replica = .some(opened.replica)
        show(homeSchema)
    }

    /// The schema with which this home is opened again.
    var schemaChoice: SchemaChoice { homeSchema.isFixed ? .given(homeSchema.file) : .kept }

    /// Closes the replica.
    func closeReplica() {
        // Where this fails, the log stays beside the file, and the next opening reads it.
        try? replica.take()?.close()
        store = nil
    }
}
