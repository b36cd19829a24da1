package import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A batch of another group, read and named as this group names things.
private struct ReadBatch {
    let scope: ScopeID
    let restates: Restatement
    let body: BatchBody
    /// The author that wrote it.
    let author: AuthorID
}

/// Batches of another group come in as batches of this device (docs/protocol.md, "Batches of
/// another group"). Each author of that group gets a life of its own of this device.
extension Replica {
    /// Says batches of another group again, but for those that somebody said again before.
    package mutating func bring(
        _ batches: [BroughtBatch], at now: Moment
    ) throws(ReplicaError) -> (counts: MergeCounts, effects: [Effect]) {
        let (group, read) = try read(batches)
        do throws(StorageError) {
            var counts = MergeCounts()
            try turn.writing()
            for batch in read {
                let isKnown = try isKnown(batch)
                counts.count(batch, isKnown: isKnown)
                if !isKnown { try sayAgain(batch, in: group) }
            }
            return (counts, try settle(at: now))
        } catch {
            throw .storage(fail(error))
        }
    }

    /// Returns what `bring` would do, and the records among those that batches change which are
    /// here already.
    package func preview(
        _ batches: [BroughtBatch]
    ) throws(ReplicaError) -> (counts: MergeCounts, both: [RecordKey]) {
        let (_, read) = try read(batches)
        return try storage { () throws(StorageError) in
            var (counts, both) = (MergeCounts(), OrderedSet<RecordKey>())
            var looked = OrderedSet<RecordKey>()
            for batch in read {
                let isKnown = try isKnown(batch)
                counts.count(batch, isKnown: isKnown)
                if isKnown { continue }
                for operation in batch.body.operations {
                    let key = RecordKey(
                        collection: operation.collection, record: operation.record)
                    guard looked.insert(key) else { continue }
                    if try reader.existing(key) != nil { both.insert(key) }
                }
            }
            return (counts, both.elements)
        }
    }

    /// Returns the group that this device belongs to.
    package func ownGroup() throws(ReplicaError) -> GroupID {
        guard let group else { throw .notAMember }
        return group.log.group
    }

    private func read(
        _ batches: [BroughtBatch]
    ) throws(ReplicaError) -> (group: GroupState, batches: [ReadBatch]) {
        try checkRight()
        if let failure { throw .storage(failure) }
        precondition(author.open == nil, "a merge goes on inside a transaction")
        guard let group, group.ring.writing?.dataKey != nil else { throw .noEpochKey }
        var read: [ReadBatch] = []
        for batch in batches {
            let found = try self.read(batch, in: group)
            if found.restates.origin?.group == group.log.group { throw .merge(.sameGroup) }
            read.append(found)
        }
        return (group, read)
    }

    private func read(
        _ batch: BroughtBatch, in group: GroupState
    ) throws(ReplicaError) -> ReadBatch {
        let body: BatchBody
        do throws(CRDTError) {
            body = try BatchBody.decode(plaintext: batch.plaintext)
        } catch {
            throw .merge(.notABatch)
        }
        guard let restates = body.restates, let origin = restates.origin,
            let scope = group.scope(named: batch.scope)
        else { throw .merge(.notABatch) }
        guard group.rights.own.holds(scope) else { throw .scopeNotGranted(batch.scope) }
        guard scopeFilter.holds(scope) else { throw .notSubscribed(scope: batch.scope) }
        var renamed = body
        renamed.attributes = body.attributes.renamed { id in
            batch.names.first { $0.id == id }.flatMap { group.scope(named: $0.name) }
        }
        if let first = body.operations.first,
            let root = schema.collection(id: first.collection)?.scope.name
        {
            group.note(root: root, of: scope)
        }
        return ReadBatch(
            scope: scope, restates: restates, body: renamed,
            author: AuthorName.author(device: origin.device, incarnation: restates.incarnation))
    }

    /// Returns true when a batch of another group, or a batch of this group with that place, shows.
    private func isKnown(_ batch: ReadBatch) throws(StorageError) -> Bool {
        let key = ChainKey(scope: batch.scope, chain: batch.author)
        if chains.index.restatements.first(of: key, at: batch.restates.seq) != nil { return true }
        if let row = chains[key], batch.restates.seq <= row.stored { return true }
        guard let life = author.life(for: batch.author),
            let own = chains[ChainKey(scope: batch.scope, chain: life.id)], own.stored > own.applied
        else { return false }
        // What waits for the rest of its commit is here as well.
        for seq in own.applied + 1...own.stored {
            if let stored = try store.batch(chain: own.index, seq: seq),
                group?.body(of: stored, in: own)?.restates == batch.restates
            {
                return true
            }
        }
        return false
    }

    private mutating func sayAgain(
        _ batch: ReadBatch, in group: GroupState
    ) throws(StorageError) {
        let life = author.beginLife(for: batch.author, &entropy)
        let own = chains[ChainKey(scope: batch.scope, chain: life.id)]
        let sealed: SealedBatch
        do throws(ReplicaError) {
            sealed = try author.seal(
                batch.body, scope: batch.scope, seq: (own?.stored ?? 0) + 1,
                after: own?.head ?? .zero, for: group, keys.signing, as: life)
        } catch {
            throw .corrupt(where: "a batch of another group does not fit")
        }
        _ = try chains.place(sealed, author: author, under: schema, &turn)
        let attributes = batch.body.attributes
        if attributes.parts > 1, let row = chains[ChainKey(scope: batch.scope, chain: life.id)] {
            try store.setCommit(
                chain: row.index, seq: row.stored, commit: attributes.commit,
                part: attributes.part, parts: attributes.parts)
        }
    }
}

extension MergeCounts {
    fileprivate mutating func count(_ batch: ReadBatch, isKnown: Bool) {
        guard !isKnown else { return known += 1 }
        brought += 1
        operations += UInt64(batch.body.operations.count)
    }
}
