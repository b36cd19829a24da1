package import LinnetCRDT
import LinnetCrypto
import LinnetMembership
package import LinnetStorage
package import LinnetWire

extension Replica {
    /// Carries out one application transaction, which is visible at once and sent when it is
    /// durable.
    ///
    /// - Parameters:
    ///   - writes: the changes, in order. Who hands them over for good has them freed as they are
    ///     carried out.
    ///   - intent: 1 to 64 bytes that name the caller's wish; a second commit with the same one
    ///     changes nothing and returns the first outcome.
    ///   - durability: the choice whether the call returns after the sync or before.
    package mutating func commit(
        _ writes: consuming [Write], intent: [UInt8]? = nil, durability: Durability = .full,
        at now: Moment
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        try commit(RequestQueue(writes), intent: intent, durability: durability, at: now)
    }

    /// Carries out one application transaction and chooses keys and places that it leaves open.
    /// `tell` is told the progress of a large one, in parts of the whole.
    package mutating func commit(
        requests: consuming [WriteRequest], intent: [UInt8]? = nil, durability: Durability = .full,
        at now: Moment, telling tell: Telling? = nil
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        try commit(
            RequestQueue(requests), intent: intent, durability: durability, at: now, telling: tell)
    }

    private mutating func commit(
        _ requests: consuming RequestQueue, intent: [UInt8]?, durability: Durability,
        at now: Moment, telling tell: Telling? = nil
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        if let first = try firstReceipt(of: intent) { return (first, []) }
        try beginCommit(durability, at: now)
        let progress = CommitProgress(requests: requests.count, tell)
        for start in stride(from: 0, to: requests.count, by: CommitProgress.pace) {
            progress.added(start)
            try add(requests.take(CommitProgress.pace))
        }
        return try endCommit(intent: intent, at: now, progress)
    }

    /// Returns the receipt of an earlier commit with this intent; nil when there was none.
    package func firstReceipt(of intent: [UInt8]?) throws(ReplicaError) -> CommitReceipt? {
        try checkRight()
        if let failure { throw .storage(failure) }
        guard let intent else { return nil }
        guard (1...Limits.intentBytes).contains(intent.count) else { throw .badIntent }
        let outcome = try storage { () throws(StorageError) in
            try store.firstOutcome(intent: intent)
        }
        guard let outcome else { return nil }
        return try repeating(outcome)
    }

    /// Opens a transaction. Changes that are added to it show to readers of this replica at once,
    /// and to others once it has ended.
    package mutating func beginCommit(
        _ durability: Durability, at now: Moment
    ) throws(ReplicaError) {
        try checkRight()
        if let failure { throw .storage(failure) }
        precondition(author.open == nil, "a transaction was opened inside another")
        try storage { () throws(StorageError) in
            try turn.begin(durability)
            try leaveBlockedLife()
        }
        author.open = author.beginCommit(durability, at: now)
        author.open?.weightBefore = recordBook.overlay.dirtyWeight
    }

    /// Throws why this device may not write.
    func checkRight() throws(ReplicaError) {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        guard group.mayWrite(device) else { throw .mayNotWrite }
    }

    /// Adds to the open transaction; on an error nothing of the whole transaction remains.
    package mutating func add(_ requests: [WriteRequest]) throws(ReplicaError) {
        guard var open = author.open.take() else { return }
        do throws(ReplicaError) {
            try add(requests, to: &open.builder)
            try writeRows(of: &open)
        } catch {
            try abandon(open)
            throw error
        }
        author.open = open
    }

    /// Writes the rows of a large transaction while it goes on, so that its records do not all lie
    /// in memory. Its batches follow in the same transaction of the store.
    private mutating func writeRows(of open: inout OpenCommit) throws(ReplicaError) {
        let grown = recordBook.overlay.dirtyWeight - open.weightBefore
        guard grown > foldPolicy.dirtyBytes, recordBook.staged == nil else { return }
        try storage { () throws(StorageError) in
            // What shows is in the rows then, and more, of which the batches follow.
            try foldAllRows()
            recordBook.overlay.trim(to: foldPolicy.cleanBytes)
        }
        open.weightBefore = recordBook.overlay.dirtyWeight
    }

    /// Ends the open transaction.
    package mutating func endCommit(
        intent: [UInt8]?, at now: Moment
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        try endCommit(intent: intent, at: now, CommitProgress(requests: 0, nil))
    }

    private mutating func endCommit(
        intent: [UInt8]?, at now: Moment, _ progress: CommitProgress
    ) throws(ReplicaError) -> (CommitReceipt, [Effect]) {
        guard let open = author.open.take() else {
            preconditionFailure("a transaction ends that is not open")
        }
        let receipt: CommitReceipt
        do throws(ReplicaError) {
            receipt = try seal(
                open.builder, intent: intent, durability: open.durability, progress)
        } catch {
            try abandon(open)
            throw error
        }
        let before = (lanes: lanes, isDue: author.profile.isDue)
        let sealed = author.count
        do throws(StorageError) {
            return (receipt, try settle(at: now))
        } catch {
            guard error == .diskFull else { throw .storage(fail(error)) }
            // The store took the whole transaction back, and nothing of it was said.
            try abandon(open)
            (lanes, author.profile.isDue) = before
            chains.hasSettled = false
            throw .storage(author.count == sealed ? fail(error) : error)
        }
    }

    /// Leaves the open transaction, keeping nothing of it; does nothing outside of one.
    package mutating func abandonCommit() throws(ReplicaError) {
        guard let open = author.open.take() else { return }
        try abandon(open)
    }

    private mutating func abandon(_ open: OpenCommit) throws(ReplicaError) {
        store.rollback()
        // Nothing was written above which the clock would have to stay.
        author.clock = open.clockBefore
        try reload()
    }

    /// Writes this device's row in the open transaction.
    mutating func writeProfile(at now: Moment) throws(ReplicaError) {
        let fields = [
            FieldWrite(Schema.DeviceFields.name, .text(author.profile.name)),
            FieldWrite(Schema.DeviceFields.kind, .text(author.profile.kind)),
        ]
        var builder = CommitBuilder(base: author.tick(at: now))
        let write = Write.set(collection: Self.devices, record: ownRecord, fields: fields)
        var writes = [write]
        if let text = author.profile.schema.take() { writes += try reader.missingPieces(of: text) }
        try add(writes.map(WriteRequest.changes), to: &builder)
        _ = try seal(builder, intent: nil, durability: .full)
    }

    private func repeating(_ outcome: [UInt8]) throws(ReplicaError) -> CommitReceipt {
        do {
            return try CommitReceipt(repeating: outcome)
        } catch {
            throw .wire(error)
        }
    }

    private mutating func add(
        _ requests: [WriteRequest], to builder: inout CommitBuilder
    ) throws(ReplicaError) {
        let (log, held) = (log, scopeFilter)
        for request in requests {
            for write in try request.writes(&recordBook, log, &entropy) {
                try builder.add(write, to: &recordBook, by: author.id, held, log, &turn)
            }
        }
    }

    private mutating func seal(
        _ builder: CommitBuilder, intent: [UInt8]?, durability: Durability,
        _ progress: CommitProgress = CommitProgress(requests: 0, nil)
    ) throws(ReplicaError) -> CommitReceipt {
        guard builder.operationCount > 0 else {
            return CommitReceipt(
                commit: .zero, batches: 0, operations: 0, durable: true, hidden: builder.hidden)
        }
        guard builder.parts.count <= Limits.partsPerCommit else { throw .commitTooLarge }
        // A batch alone needs no name that its parts would share.
        var commit = CommitID.zero
        if builder.parts.count > 1 { commit = BatchName.narrow(entropy.bytes(16)) }
        var name = commit
        for (index, part) in builder.parts.enumerated() {
            progress.sealed(
                index, of: builder.parts.count, rowsLeft: recordBook.overlay.dirtyCount)
            var attributes = BatchAttributes(
                commit: commit, part: UInt32(index + 1), parts: UInt32(builder.parts.count),
                intent: intent, schemaVersion: schema.version, baseStamp: builder.base,
                partScopes: builder.partScopes)
            try storage { () throws(StorageError) in
                try author.addDependencies(
                    to: &attributes, scope: part.scope, chains.index, group?.counted, store)
            }
            let body = BatchBody(attributes: attributes, operations: part.operations)
            let id = try seal(body, scope: part.scope, seq: part.seq)
            name = attributes.name(of: id)
        }
        let receipt = CommitReceipt(
            commit: name, batches: builder.parts.count, operations: builder.operationCount,
            durable: durability == .full, hidden: builder.hidden)
        if let intent {
            try storage { () throws(StorageError) in
                try store.recordOutcome(intent: intent, receipt.encoded)
            }
        }
        return receipt
    }

    /// Encrypts, signs and stores one batch of our own.
    private mutating func seal(
        _ body: BatchBody, scope: ScopeID, seq: UInt64
    ) throws(ReplicaError) -> BatchID {
        guard let group else { throw .noEpochKey }
        let own = author.chain(in: scope)
        let batch = try author.seal(
            body, scope: scope, seq: seq, after: chains[own]?.head ?? .zero, for: group,
            keys.signing)
        try storage { () throws(StorageError) in
            _ = try chains.place(batch, author: author, under: schema, &turn)
            let attributes = body.attributes
            if attributes.parts > 1, let row = chains[own] {
                // A scope that is taken up again has to find the rest of the commit.
                try store.setCommit(
                    chain: row.index, seq: seq, commit: attributes.commit, part: attributes.part,
                    parts: attributes.parts)
            }
            // Otherwise the fold has to make the batches before it visible first, and says so.
            if (chains[own]?.applied ?? 0) + 1 == seq {
                chains.index.advance(own, to: seq)
                turn.outbox.notify(
                    .batchApplied(
                        scope: scope, device: device, seq: seq,
                        operations: body.operations.count, local: true))
            }
            try foldRows(after: body.operations.count)
        }
        author.wroteBatch()
        return batch.id
    }
}
