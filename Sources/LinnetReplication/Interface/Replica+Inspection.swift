package import LinnetCRDT
import LinnetCrypto
package import LinnetStorage
package import LinnetWire

/// The parts that those who check a replica from outside may read; nothing here changes it.
extension Replica {
    /// The store under the replica, from which others may read between two calls.
    package var storeForReading: any Store { store }

    /// The last timestamp of the replica's clock.
    package var clockLast: Timestamp { author.clock.last }

    /// The number of stored batches that are known to be damaged.
    package var damagedBatches: Int {
        chains.damaged.table.values.reduce(0) { $0 + $1.elements.count }
    }

    /// Returns the ids of the stored batches that are known to be damaged.
    package func damagedIDs() throws(StorageError) -> [BatchID] {
        var ids: [BatchID] = []
        for (key, seqs) in chains.damaged.table {
            guard let row = chains[key] else { continue }
            for seq in seqs.elements {
                if let id = try store.batchID(chain: row.index, seq: seq) { ids.append(id) }
            }
        }
        return ids
    }

    /// Returns the whole state of a record, with its generation and deletes; nil when it was never
    /// written.
    package func recordState(_ key: RecordKey) throws(StorageError) -> RecordState? {
        try reader.existing(key)
    }

    /// Returns every chain as the replica knows it, by scope and name.
    package func chainRows() -> [ChainRow] { chains.rows.values }

    /// Returns the content of the stored batch at a place in a chain, opened with the group's keys;
    /// nil when none is stored there, and without a body when it cannot be read.
    package func content(
        chain: ChainRow, seq: UInt64
    ) throws(StorageError) -> (id: BatchID, prev: BatchID, body: BatchBody?)? {
        guard let stored = try store.batch(chain: chain.index, seq: seq) else { return nil }
        return (stored.id, stored.prev, group?.body(of: stored, in: chain))
    }

    /// Returns the stored batch at a place in a chain, as its author signed it and as any peer
    /// receives it; nil when none is stored there.
    package func sealedBytes(
        chain: ChainRow, seq: UInt64
    ) throws(StorageError) -> (header: [UInt8], ciphertext: [UInt8], signature: [UInt8])? {
        guard let stored = try store.batch(chain: chain.index, seq: seq) else { return nil }
        let batch = SealedBatch(stored, in: chain, of: groupID)
        return (batch.headerBytes, batch.ciphertext, batch.signature)
    }

    /// Gives `body` every record, of one collection or of all, in the order of collections and then
    /// of the bytes of identifiers.
    package func forEachRecord(
        collection: UInt32? = nil, _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        try reader.forEachRecord(collection: collection, body)
    }
}
