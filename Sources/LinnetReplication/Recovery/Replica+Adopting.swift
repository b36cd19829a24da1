import LinnetCRDT
package import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// The result of taking over a copy of a group's log.
package struct AdoptedCopy: Equatable, Sendable {
    /// The number of batches that were taken over.
    package internal(set) var batches = 0
    /// The number of batches that are damaged, or that nobody of the group signed.
    package internal(set) var refused = 0
}

extension Replica {
    /// Becomes a member of the group of which a store holds a copy, by the recovery key of a
    /// phrase, and takes over every batch in it whose signature holds.
    ///
    /// - Parameters:
    ///   - copy: the store of any home of the group; nothing that is sealed in it is read.
    ///   - phrase: the recovery phrase of the group.
    ///   - progress: told the number of batches that were looked at.
    package mutating func adopt(
        _ copy: any Store, phrase: RecoveryPhrase, at now: Moment,
        progress: (Int) -> Void = { _ in }
    ) throws(ReplicaError) -> (adopted: AdoptedCopy, effects: [Effect]) {
        guard group == nil else { throw .alreadyAMember }
        if let failure { throw .storage(failure) }
        let records = try storage { () throws(StorageError) in try copy.memberRecords() }
        let log: MembershipLog
        do throws(MembershipError) {
            guard !records.isEmpty else { throw .notAGenesis }
            log = try membershipLog(in: records.map(\.bytes), phrase)
        } catch {
            throw .membership(error)
        }
        turn.keep(log.records)
        membership.enter(log, schema: schema, keys: keys)
        author.profile.isDue = true
        do throws(StorageError) {
            try turn.checkStore()
            let adopted = try takeBatches(of: copy, progress)
            do throws(SessionFault) {
                try membershipGrew(at: now)
            } catch {
                if case .storage(let failure) = error { throw failure }
            }
            try foldWholly(at: now)
            return (adopted, try settle(at: now))
        } catch {
            throw .storage(fail(error))
        }
    }

    /// Returns the log of records, with the admission of this device by the recovery key.
    mutating func membershipLog(
        in records: [[UInt8]], _ phrase: RecoveryPhrase
    ) throws(MembershipError) -> MembershipLog {
        var log = try MembershipLog(stored: records)
        let signer = try GroupRecovery(log).keys(from: phrase)
        let add = try log.makeAdd(
            keys.certificate, role: .admin, ring: KeyRing(log: log, keys: signer), keys: signer,
            entropy: &entropy)
        _ = try log.insert(add)
        return log
    }

    /// Stores the batches of a copy, trunks before the branches that left them.
    private mutating func takeBatches(
        of copy: any Store, _ progress: (Int) -> Void
    ) throws(StorageError) -> AdoptedCopy {
        var result = AdoptedCopy()
        try turn.writing()
        let rows = try copy.chains().sorted { ($0.first, $0.index) < ($1.first, $1.index) }
        if rows.contains(where: \.isFolded) { try takeBase(of: copy, rows, &result) }
        for row in rows {
            var next = row.start + 1
            while next <= row.stored {
                let batches = try copy.batches(
                    chain: row.index, from: next, maxBytes: Limits.unacknowledgedBytes)
                guard let last = batches.last else {
                    result.refused += Int(clamping: row.stored - next + 1)
                    break
                }
                for stored in batches { try take(stored, of: row, &result) }
                next = last.seq + 1
                progress(result.batches + result.refused)
            }
        }
        return result
    }

    /// Takes the records of batches that the copy does not keep, and the floors of their chains.
    /// A device that could read those batches sealed them; nobody signed them.
    private mutating func takeBase(
        of copy: any Store, _ rows: [ChainRow], _ result: inout AdoptedCopy
    ) throws(StorageError) {
        guard let group else { return }
        let sealer = BaseSealer(group: group)
        var last: RecordName?
        while true {
            let found = try copy.bases(after: last, limit: 256, on: .own)
            for row in found {
                do throws(StorageError) {
                    _ = try sealer.open(row)
                    try store.putBase(row, on: .own)
                } catch .corrupt {
                    result.refused += 1
                }
            }
            guard let end = found.last else { break }
            last = end.name
        }
        for row in rows where row.isFolded {
            let batch = SealedBatch(
                try copy.heldBatch(of: row, at: row.floor), in: row, of: groupID)
            guard batch.isIntact, batch.isSigned, group.isKept(row.device) else {
                result.refused += 1
                continue
            }
            try take(BaseFloor(key: row.key, seq: row.floor, id: batch.id), batch)
            result.batches += 1
        }
        chains.isStale = true
    }

    /// Stores one batch of a copy, unless it is not what its author signed.
    private mutating func take(
        _ stored: BatchRow, of row: ChainRow, _ result: inout AdoptedCopy
    ) throws(StorageError) {
        let batch = SealedBatch(stored, in: row, of: groupID)
        guard batch.isIntact, batch.isSigned, group?.isKept(row.device) == true,
            stored.seq <= row.stored
        else {
            result.refused += 1
            return
        }
        switch try chains.place(batch, author: author, under: schema, &turn) {
        case .stored, .forked, .duplicate: result.batches += 1
        case .waiting: result.refused += 1
        }
    }
}
