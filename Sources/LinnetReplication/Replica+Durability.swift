import LinnetStorage
package import LinnetWire

extension Replica {
    /// Makes relaxed writes durable and sends them.
    package mutating func flush(at now: Moment) throws(ReplicaError) -> [Effect] {
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            try store.flush()
            chains.unsynced.madeDurable(&turn)
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }

    /// True when a power cut could still take some writes.
    package var hasRelaxedWrites: Bool { !chains.unsynced.isEmpty }

    /// Closes the store; nothing of the replica can be used after it.
    package consuming func close() throws(ReplicaError) {
        try foldEverything()
        do {
            try store.close()
        } catch {
            throw .storage(error)
        }
    }
}
