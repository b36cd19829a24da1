import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Looks at the program that runs and its surroundings: whether something follows or changed
    /// it, and whether its keys, its memory and its clock are safe.
    ///
    /// A locked node answers too, without a judgement of the clock.
    public func integrity() throws(LinnetError) -> IntegrityReport {
        guard homeDesk.lock != nil else { throw .stopped }
        return try HomeIntegrity(home).report(clock: try clockEvidence(), isThorough: true)
    }

    /// Looks at the home at `path`, which need not open, and at this program.
    public static func integrity(at path: String) throws(LinnetError) -> IntegrityReport {
        let home: Home
        do {
            home = try Home.unchecked(at: path)
        } catch {
            throw .home(error)
        }
        return try HomeIntegrity(home).report(
            clock: ClockJudgement.evidence(now: SystemClock.now().wallMilliseconds),
            isThorough: true)
    }

    /// Chooses what this device does when something is found; nil takes the group's policy. The
    /// program is remembered as it is now, where none was.
    ///
    /// ``IntegrityPolicy/block`` counts from the next opening or unlocking on.
    public func setIntegrityPolicy(_ policy: IntegrityPolicy?) throws(LinnetError) {
        try chooseIntegrity(policy: .some(policy), accepts: false)
    }

    /// Takes the program that runs for good as it is now.
    public func acceptProgram() throws(LinnetError) {
        try chooseIntegrity(policy: nil, accepts: true)
    }

    /// Chooses the policy of all devices of the group that chose none themselves. Any device that
    /// may write can do so; each learns of it with the next exchange.
    public func setGroupIntegrityPolicy(_ policy: IntegrityPolicy) throws(LinnetError) {
        try writable()
        let now = SystemClock.now()
        do throws(ReplicaError) {
            perform(try replica?.setGroupSetting(.integrity, policy.rawValue, at: now) ?? [])
        } catch {
            throw failed(error)
        }
        try followIntegrity()
    }

    /// Changes the policy of the home at `path`, which no process may have open, or accepts this
    /// program; it needs no passphrase.
    package static func chooseIntegrity(
        at path: String, policy: IntegrityPolicy??, accepts: Bool
    ) throws(LinnetError) {
        try choosing(at: path) { (integrity) throws(LinnetError) in
            try integrity.choose(policy: policy, accepts: accepts)
        }
    }

    /// Gives `body` what is kept in the home at `path`, which no process may have open.
    static func choosing(
        at path: String, _ body: (inout HomeIntegrity) throws(LinnetError) -> Void
    ) throws(LinnetError) {
        do {
            let home = try Home.open(at: path)
            let lock = try HomeLock(home)
            defer { withExtendedLifetime(lock) {} }
            var integrity = try HomeIntegrity(home)
            try body(&integrity)
        } catch let error as LinnetError {
            throw error
        } catch let error as HomeError {
            throw .home(error)
        } catch {
            throw .unexpected("\(error)")
        }
    }

    /// Changes the policy, or accepts the program.
    package func chooseIntegrity(
        policy: IntegrityPolicy??, accepts: Bool
    ) throws(LinnetError) {
        guard homeDesk.lock != nil else { throw .stopped }
        var integrity = try HomeIntegrity(home)
        try integrity.choose(policy: policy, accepts: accepts)
        showIntegrity(try integrity.report(clock: clockEvidence(), isThorough: false))
    }

    /// Takes up the group's policy and acts by the policy that counts: throws where it is not to
    /// open the home, and tells of what is found where it is to warn.
    func meetIntegrity() throws(LinnetError) {
        try followIntegrity()
        let integrity = try HomeIntegrity(home)
        guard [.block, .warn].contains(integrity.record.policy) else { return }
        let clock = try clockEvidence()
        try integrity.requireUnblocked(clock: clock)
        showIntegrity(integrity.report(clock: clock, isThorough: false))
    }

    /// Tells the observers what is found, where the policy leaves it to them.
    func logIntegrity() throws(LinnetError) {
        let integrity = try HomeIntegrity(home)
        guard integrity.record.policy == .log else { return }
        let found = integrity.report(clock: try clockEvidence(), isThorough: false).found
        if !found.isEmpty { observers.send(.integrityFound(found)) }
    }

    /// Keeps the group's policy beside the home, where it counts before there are keys.
    func followIntegrity() throws(LinnetError) {
        guard replica?.isMember == true, unwritable == nil, !outages.isOut else { return }
        let text = try reading { (replica) throws(ReplicaError) in
            try replica.reader.groupSetting(.integrity)
        }
        var integrity = try HomeIntegrity(home)
        try integrity.follow(group: text.flatMap(IntegrityPolicy.init(rawValue:)))
    }

    /// Takes up what the group chose, if the home takes it.
    func followSettings() {
        do throws(LinnetError) {
            try followIntegrity()
        } catch {
            // The next opening takes it up.
        }
    }

    private func showIntegrity(_ report: IntegrityReport) {
        let tells = [.block, .warn].contains(report.policy)
        hold(.integrity(report.found), isSo: tells && !report.found.isEmpty)
    }

    private func clockEvidence() throws(LinnetError) -> IntegrityFacts.Clock? {
        guard replica != nil else {
            return ClockJudgement.evidence(now: SystemClock.now().wallMilliseconds)
        }
        return try clockJudgement().evidence
    }
}
