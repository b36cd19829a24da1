import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// The reason why nothing is written at the moment; nil while the home takes writes.
    ///
    /// Reads are answered meanwhile. A node whose disk refused a write ends its sessions and tries
    /// again by itself; ``NodeWarning/notWriting(reason:)`` tells when that begins and when it is
    /// over.
    public var refusesWrites: LinnetError? {
        outages.reason ?? unwritable.map(LinnetError.home)
    }

    /// Notes that the store, or a file beside it, failed: the node sends and tells nothing more
    /// that it has not kept. It goes on reading, or ends where reading is no use either.
    func stumble(_ error: LinnetError, mayPass: Bool) {
        guard !calls.hasStumbled, !outages.isOut else { return }
        calls.stumble(error, mayPass: mayPass)
        drain()
    }

    func stumble(_ error: StorageError) {
        stumble(
            error.mayPass ? DiskProblem.told(error, in: home) : LinnetError(error),
            mayPass: error.mayPass)
    }

    /// Meets a failure once the call under way has ended.
    func meetStumble() {
        guard let stumble = calls.takeStumble() else { return }
        let error = stumble.error
        guard stumble.mayPass, let keys = replica?.copyOfKeys() else {
            return shutDown(reason: error.description)
        }
        standDown(error)
        _ = calls.takeStumble()
        outages.begin(error, keys: keys, at: SystemClock.uptimeMilliseconds())
        readOn()
        hold(.notWriting(reason: error.description), isSo: true)
        settle()
    }

    /// Opens the home only for reading; where that fails too, readers are told the reason.
    private func readOn() {
        guard let homeLock = homeDesk.lock, let reason = outages.reason,
            let keys = outages.copyOfKeys()
        else { return }
        let problem = DiskProblem.standing(behind: reason, in: home)
        board.show(unwritable: problem)
        do throws(LinnetError) {
            takeOver(
                try OpenedHome.take(
                    home, homeLock, schema: schemas.choice, intent: .open(nil),
                    now: SystemClock.now(), unwritable: problem, keys: keys))
            calls.replace([])
        } catch {
            // The outage says why nothing is read.
            homeDesk.store = nil
        }
    }

    /// Opens a locked home only for reading, where a disk that takes no writes kept it from being
    /// opened; for other reasons it throws `error`.
    func readOn(
        unlocking lock: HomeLock, _ passphrase: Passphrase, _ error: LinnetError
    ) throws(LinnetError) {
        guard let problem = DiskProblem.behind(error, in: home) else { throw error }
        takeOver(
            try OpenedHome.take(
                home, lock, schema: schemas.choice, intent: .open(passphrase),
                now: SystemClock.now(), unwritable: problem))
        calls.replace([])
        guard let keys = replica?.copyOfKeys() else { throw error }
        board.show(unwritable: problem)
        let reason = LinnetError.home(problem)
        outages.begin(reason, keys: keys, at: SystemClock.uptimeMilliseconds())
        hold(.notWriting(reason: reason.description), isSo: true)
    }

    /// Opens the home for writing again, if the disk takes writes, and takes part as before.
    func tryAgain() {
        guard let homeLock = homeDesk.lock, outages.isOut, !calls.isPerforming else { return }
        let now = SystemClock.now()
        guard outages.mayTry(at: now.uptimeMilliseconds) else { return }
        guard home.takesWrites, let keys = outages.copyOfKeys() else { return failAgain(now) }
        closeReplica()
        do throws(LinnetError) {
            takeOver(
                try OpenedHome.take(
                    home, homeLock, schema: schemas.choice, intent: .open(nil), now: now, keys: keys
                ))
        } catch {
            readOn()
            return failAgain(now)
        }
        outages.recovered(at: now.uptimeMilliseconds)
        endOutage()
        do throws(LinnetError) {
            try resume()
        } catch {
            shutDown(reason: error.description)
        }
    }

    /// Ends the outage: the home takes writes, or nobody asks any more whether it does.
    func endOutage() {
        outages.dismiss()
        board.show(unwritable: nil)
        endWarnings { $0.kind == .notWriting }
    }

    private func failAgain(_ now: Moment) {
        outages.tried(at: now.uptimeMilliseconds)
        settle()
    }

    /// Takes over an opened home with its replica.
    func takeOver(_ opened: consuming OpenedHome) {
        homeDesk.store = opened.store
        calls.replace(opened.effects)
        homeDesk.witness = opened.witness
        schemas.home = opened.schema
        replica = .some(opened.replica)
        show(schemas.home)
        followObedience()
    }

    func closeReplica() {
        // Where this fails, the log stays beside the file, and the next opening reads it.
        try? replica.take()?.close()
        homeDesk.store = nil
    }
}
