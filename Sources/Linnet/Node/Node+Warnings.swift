import LinnetMembership
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Notes that this device's person knows of the warnings that are kept for her: those of homes
    /// that were copied or put back, of operations without effect, of identifiers used twice, and
    /// of damaged records.
    ///
    /// They no longer show on this device; other devices ask their own persons.
    public func acknowledgeWarnings() throws(LinnetError) {
        try writable()
        do throws(ReplicaError) {
            try replica?.acknowledgeNotices()
        } catch {
            throw LinnetError(error)
        }
        endWarnings(where: \.isOfRecord)
        followWarnings()
    }

    /// Writes again what the records show of batches that this device wrote and its disk lost, for
    /// which it would otherwise wait until a device that is known to have them sends them. Returns
    /// the number of lost batches; a device that comes with them later changes nothing twice.
    @discardableResult
    public func restateLostBatches() throws(LinnetError) -> Int {
        try writable()
        guard replica != nil else { return 0 }
        do throws(ReplicaError) {
            guard let done = try replica?.restateLost(at: SystemClock.now()) else { return 0 }
            perform(done.effects)
            followWarnings()
            return Int(clamping: done.report.lost)
        } catch {
            throw failed(error)
        }
    }

    /// Returns the warnings whose causes are there now.
    func standingWarnings() -> [StandingWarning] {
        followWarnings()
        return warnings.standing
    }

    /// Returns the warnings that no command has told yet; they count as told from now on.
    package func takeUntoldWarnings() -> [StandingWarning] {
        let untold = standingWarnings().filter(\.isUntold)
        guard !untold.isEmpty else { return [] }
        do throws(ReplicaError) {
            try replica?.markNoticesTold()
        } catch {
            // On a disk that takes no writes the next command tells them again.
        }
        warnings.markTold()
        followWarnings()
        return untold
    }

    /// Counts a warning of the node's own, and tells the observers when it is new.
    func tell(_ warning: NodeWarning) {
        warnings.raise(warning, at: SystemClock.now().wallMilliseconds)
        warningsChanged()
    }

    /// Notes a state, and tells of it once when it begins and once when it is over.
    func hold(_ warning: NodeWarning, isSo: Bool) {
        warnings.hold(warning, isSo: isSo, at: SystemClock.now().wallMilliseconds)
        warningsChanged()
    }

    /// Takes back warnings of the node's own.
    func endWarnings(where isOver: (NodeWarning) -> Bool) {
        warnings.end(where: isOver)
        warningsChanged()
    }

    /// Has the warnings looked at: within a call once at its end, however much happened.
    private func warningsChanged() {
        if calls.isPerforming { warnings.expectChange() } else { followWarnings() }
    }

    /// Looks again when something happened, or when something stands and a second has passed.
    func followWarningsWhenDue() {
        if warnings.isDue(at: SystemClock.uptimeMilliseconds()) { followWarnings() }
    }

    /// Looks again at the causes of warnings, and tells the observers which came and which have
    /// gone.
    func followWarnings() {
        warnings.look(at: SystemClock.uptimeMilliseconds())
        guard replica != nil || outages.isOut else { return }
        let facts: [WarningFact]
        do throws(ReplicaError) {
            facts = try replica?.warningFacts(at: SystemClock.now()) ?? []
        } catch {
            // A store that cannot be read says so in the status; the known warnings stay.
            return
        }
        let change = warnings.update(with: facts.compactMap(told))
        for warning in change.ended { observers.send(.warningEnded(warning)) }
        for warning in change.began { observers.send(.warning(warning)) }
    }

    private func told(_ fact: WarningFact) -> StandingWarning? {
        told(fact.warning).map {
            StandingWarning(
                $0, count: Int(clamping: fact.count), wallMilliseconds: fact.wallMilliseconds,
                isKept: fact.isKept, isUntold: fact.isUntold)
        }
    }

    func told(_ warning: Warning) -> NodeWarning? {
        switch warning {
        case .clockSkew(let device, let milliseconds):
            .clockSkew(named(device), milliseconds: milliseconds)
        case .authorForked(let device): .authorForked(named(device))
        case .basesDiffer(let device): .basesDiffer(named(device))
        case .historyPassedOver(let device): .historyPassedOver(named(device))
        case .authorRenewed(replica?.device): .copyInUse
        case .authorRenewed(let device): .authorRenewed(named(device))
        case .admissionFrozen(let device): .admissionFrozen(by: named(device))
        case .overruled(let device, let author, let isRole):
            .overruled(named(device), by: named(author), isRole: isRole)
        case .scopesNotUnderstood(let device): .scopesNotUnderstood(by: named(device))
        case .idCollision(let key):
            .idCollision(collection: name(of: key), id: key.record.description)
        case .recordSetAside(let key):
            .recordSetAside(collection: name(of: key), id: key.record.description)
        case .rowRebuilt(let key):
            .recordRebuilt(collection: name(of: key), id: key.record.description)
        case .rowIncomplete(let key):
            .recordIncomplete(collection: name(of: key), id: key.record.description)
        case .showsOtherwise(let device, let checked):
            .showsOtherwise(named(device), checked: checked)
        case .quarantined(let batch, _): .quarantined(batch: batch.description)
        case .damagedBatch(let batch): .damaged(batch: batch.description)
        case .damagedOwnBatch(let batch): .damagedOwn(batch: batch.description)
        case .batchesRestated(let report):
            .restated(
                batches: Int(clamping: report.lost), changes: Int(clamping: report.saved),
                silent: Int(clamping: report.silent))
        case .incarnationRotated(let reason): .newAuthor(reason: reason)
        case .badEpoch: .badEpoch
        case .keysNotUsed(let device, .leavesOut(let other)):
            .keysNotUsed(by: named(device), .leavesOut(named(other)))
        case .keysNotUsed(let device, .sealedToStranger):
            .keysNotUsed(by: named(device), .sealedToStranger)
        case .keysNotUsed(let device, .calledBad(let other)):
            .keysNotUsed(by: named(device), .calledBad(by: named(other)))
        case .flooded(let device): .flooded(named(device))
        case .filesDoNotFit: .attachmentsDoNotFit
        case .sendsMuch(let device, let today, let isHeldBack):
            .sendsMuch(
                named(device), records: today.records, batches: today.batches,
                bytes: max(today.bytes, today.decodedBytes), isHeldBack: isHeldBack)
        }
    }
}
