package import LinnetStorage
package import LinnetWire

extension ModelStore {
    /// The number of batches that wait, and their bytes.
    package var pendingTotals: Totals { tables.pending.totals }

    /// Keeps a batch until it can be stored; the caller has held it against the limits.
    package func insertPending(_ batch: PendingRow) throws(StorageError) {
        checkTransaction()
        guard batch.seq <= StoreLimits.largestSequence else { throw .outOfRange }
        guard !tables.pending.contains(batch.id) else { throw .duplicate }
        tables.pending.insert(batch)
        note(.pendingAdded(batch.id))
    }

    /// True when a batch waits.
    package func isPending(_ id: BatchID) throws(StorageError) -> Bool {
        tables.pending.contains(id)
    }

    /// The waiting batches of one author in one scope, from a sequence on, until `maxBytes` are
    /// passed; one batch at least, if there is one.
    package func pending(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation, from seq: UInt64,
        maxBytes: Int
    ) throws(StorageError) -> [PendingRow] {
        let key = PendingQueue.Key(scope: scope, device: device, incarnation: incarnation)
        guard let queue = tables.pending.queue(key) else { return [] }
        var found: [PendingRow] = []
        var bytes = 0
        for place in queue.rows.lowerBound(isBefore: { $0.seq < seq })..<queue.rows.count {
            let row = queue.rows[place]
            bytes += row.size
            guard found.isEmpty || bytes <= maxBytes else { break }
            found.append(row)
        }
        return found
    }

    /// Forgets a batch that no longer waits.
    package func removePending(_ id: BatchID) throws(StorageError) {
        checkTransaction()
        guard let removed = tables.pending.remove(id) else { return }
        note(.pendingRemoved(removed.row, at: removed.place))
    }

    /// The totals of the waiting batches of one author in one scope.
    package func pendingTotals(
        scope: ScopeID, device: DeviceID, incarnation: Incarnation
    ) throws(StorageError) -> Totals {
        let key = PendingQueue.Key(scope: scope, device: device, incarnation: incarnation)
        return tables.pending.queue(key)?.totals ?? Totals(count: 0, bytes: 0)
    }

    /// The totals of the waiting batches of each author in each scope, by scope, device and
    /// incarnation.
    package func pendingChains() throws(StorageError) -> [PendingChain] {
        tables.pending.queues.map { queue in
            PendingChain(
                scope: queue.key.scope, device: queue.key.device,
                incarnation: queue.key.incarnation, totals: queue.totals)
        }
    }
}
