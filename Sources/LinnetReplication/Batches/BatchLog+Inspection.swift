package import LinnetCRDT
import LinnetCrypto
import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// One chain of a replica's vector, for people and tests.
package struct VectorEntry: Equatable, Sendable {
    /// The scope's opaque name.
    package let scope: ScopeID
    /// The device that wrote it.
    package let device: DeviceID
    /// The life of the device in which it wrote.
    package let incarnation: Incarnation
    /// The chain: the author, or a branch after a fork.
    package let chain: AuthorID
    /// The last sequence number stored.
    package let seq: UInt64
    /// The last sequence number whose operations are visible.
    package let visible: UInt64
    /// The id of the batch at `seq`.
    package let head: BatchID
}

/// The chains and their batches, for those who look at a replica from outside.
extension BatchLog {
    /// Returns the chains of which this replica holds something, in order.
    package func vectorEntries() -> [VectorEntry] {
        chains.rows.values.filter(ChainIndex.holdsAny).map {
            VectorEntry(
                scope: $0.scope, device: $0.device, incarnation: $0.incarnation, chain: $0.chain,
                seq: $0.stored, visible: $0.applied, head: $0.head)
        }
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
        let batch = SealedBatch(stored, in: chain, of: group?.log.group)
        return (batch.headerBytes, batch.ciphertext, batch.signature)
    }
}
