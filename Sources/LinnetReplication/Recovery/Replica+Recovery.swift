import LinnetCRDT
import LinnetCrypto
package import LinnetMembership
import LinnetStorage
package import LinnetWire

extension Replica {
    /// Returns the state of the group's recovery phrase.
    package func recoveryStanding() throws(ReplicaError) -> RecoveryStanding {
        guard let group else { throw .notAMember }
        let key: RecoveryStanding.Key
        if let certificate = group.log.state.recovery {
            key =
                GroupRecovery(group.log).isNamed
                ? .phrase(createdMilliseconds: certificate.createdMilliseconds)
                : .founding(isHere: try foundingKeys(of: group) != nil)
        } else {
            key = .absent
        }
        let hasWarrant = GroupRecovery(group.log).hasWarrant
        let tested = try storage { () throws(StorageError) in
            try store.value(.recoveryTested)
        }
        return RecoveryStanding(
            key: key, opensDoors: hasWarrant,
            testedMilliseconds: tested.map { bytes in
                Int64(clamping: bytes.reduce(0) { $0 << 8 | UInt64($1) })
            })
    }

    /// Makes the key of a phrase the recovery key, in the place of the one that the founder of the
    /// group keeps, which is then forgotten. Throws ``MembershipError/noRecoveryKey`` on another
    /// device, and where a phrase was made before.
    package mutating func createRecovery(
        _ phrase: RecoveryPhrase, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        guard let old = try foundingKeys(of: group) else { throw .membership(.noRecoveryKey) }
        return try succeed(old, by: phrase, in: group, at: now)
    }

    /// Makes the key of another phrase the recovery key, in the place of that of the phrase until
    /// now.
    package mutating func replaceRecovery(
        _ phrase: RecoveryPhrase, by next: RecoveryPhrase, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        let old = try membership { () throws(MembershipError) in
            try GroupRecovery(group.log).keys(from: phrase)
        }
        return try succeed(old, by: next, in: group, at: now)
    }

    /// Finds whether a phrase is that of the group's recovery key, and remembers when it was. Where
    /// the phrase was drawn and its key has not said so yet, it does: devices may leave doors.
    package mutating func testRecovery(
        _ phrase: RecoveryPhrase, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        let warrant: MemberRecord?
        do throws(MembershipError) {
            let recovery = GroupRecovery(group.log)
            let keys = try recovery.keys(from: phrase)
            warrant =
                group.log.state.member(device) == nil
                ? nil
                : try recovery.warrant(
                    for: phrase, keys: keys, wallMilliseconds: now.wallMilliseconds)
        } catch {
            throw .membership(error)
        }
        do throws(StorageError) {
            try rememberTest(at: now)
        } catch {
            throw .storage(fail(error))
        }
        return try publish(warrant.map { [$0] } ?? [], at: now)
    }

    /// Removes devices with the recovery key, which none of them can undo. Where one of them took
    /// this device out of the group, it is a member again.
    package mutating func removeByRecovery(
        _ devices: [DeviceID], phrase: RecoveryPhrase, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        var records: [MemberRecord] = []
        var isBack = false
        do throws(MembershipError) {
            let signer = try GroupRecovery(group.log).keys(from: phrase)
            var log = group.log
            if log.state.member(device) == nil {
                log = try GroupRecovery(log).without(
                    GroupRecovery(group.log).removals(of: device).filter {
                        devices.contains($0.author)
                    }.map(\.id))
            }
            for lost in devices where log.state.member(lost) != nil {
                let signed = try SignedRemoval(
                    of: lost, reason: .lost, heads: chains.index.heads(of: lost), on: log,
                    ring: KeyRing(log: log, keys: signer), by: signer, &entropy)
                log = signed.log
                records += signed.records
            }
            var outcome = group.log
            _ = outcome.insert(contentsOf: records)
            isBack = outcome.state.member(device) != nil
        } catch {
            throw .membership(error)
        }
        // Nothing is signed where this device would stay out all the same.
        if !isBack { try checkMembership(group) }
        do throws(StorageError) {
            try rememberTest(at: now)
            let isAlone = group.log.state.members.allSatisfy {
                $0.device == device || devices.contains($0.device)
            }
            // Nobody is left who could have more.
            if isAlone { try scopes.known.become(.everything, in: &turn) }
        } catch {
            throw .storage(fail(error))
        }
        return try publish(records, at: now)
    }

    /// Signs the new recovery key with the old one, votes for it, so that no other successor of the
    /// old one can take its place unnoticed, and seals new keys of the group to it.
    private mutating func succeed(
        _ old: borrowing DeviceKeys, by phrase: RecoveryPhrase, in group: GroupState, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        var log = group.log
        var records: [MemberRecord] = []
        do throws(MembershipError) {
            let next = try GroupRecovery(log).newKeys(
                from: phrase, createdMilliseconds: max(0, now.wallMilliseconds))
            let named = try GroupRecovery(log).makeSuccessor(next.certificate, keys: old)
            _ = try log.insert(named)
            let vote = try log.makeVote(isFor: true, named.id, keys: keys)
            _ = try log.insert(vote)
            records = [named, vote]
            if let warrant = try GroupRecovery(log).warrant(
                for: phrase, keys: next, wallMilliseconds: now.wallMilliseconds)
            {
                _ = try log.insert(warrant)
                records.append(warrant)
            }
            if group.mayWrite(device), !log.state.upgradeNeeded {
                records.append(
                    try log.makeEpoch(ring: group.ring, keys: keys, entropy: &entropy))
            }
        } catch {
            throw .membership(error)
        }
        do throws(StorageError) {
            try turn.writing()
            try store.setValue(.foundingKey, nil)
            try store.setValue(.recoveryTested, nil)
        } catch {
            throw .storage(fail(error))
        }
        return try publish(records, at: now)
    }

    /// Founds a group's log, with a recovery key that this device keeps or without any.
    mutating func foundedLog(
        keepsRecoveryKey: Bool, at now: Moment
    ) throws(MembershipError) -> MembershipLog {
        guard keepsRecoveryKey else {
            return try MembershipLog.founded(by: keys, entropy: &entropy)
        }
        let recovery = DeviceKeys(
            createdMilliseconds: max(0, now.wallMilliseconds), entropy: &entropy)
        turn.keep(recovery.recoverySecret(), under: .foundingKey)
        return try MembershipLog.founded(
            by: keys, recovery: recovery.certificate, entropy: &entropy)
    }

    /// The recovery key that this device keeps as the founder of its group, while it is in force.
    private func foundingKeys(of group: GroupState) throws(ReplicaError) -> DeviceKeys? {
        let kept = try storage { () throws(StorageError) in try store.value(.foundingKey) }
        guard let kept, let keys = DeviceKeys(recoverySecret: kept),
            keys.certificate == group.log.state.recovery
        else { return nil }
        return keys
    }

    private mutating func rememberTest(at now: Moment) throws(StorageError) {
        try turn.writing()
        try store.setValue(
            .recoveryTested, UInt64(max(0, now.wallMilliseconds)).bytes)
    }

    /// Runs a call of the membership log where a replica's caller is answered.
    private func membership<Result: ~Copyable>(
        _ body: () throws(MembershipError) -> Result
    ) throws(ReplicaError) -> Result {
        do {
            return try body()
        } catch {
            throw .membership(error)
        }
    }
}

extension ReplicaReading {
    /// True for a recovery key of the group, in force or not.
    package func isRecoveryKey(_ key: DeviceID) -> Bool {
        log.group.map { GroupRecovery($0.log).isKey(key) } ?? false
    }
}
