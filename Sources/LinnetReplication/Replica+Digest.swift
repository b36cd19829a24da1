import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// One chain of a replica's vector, for people and tests.
package struct VectorEntry: Equatable, Sendable {
    /// The scope's opaque name.
    package let scope: ScopeID
    /// Who wrote.
    package let device: DeviceID
    /// In which life.
    package let incarnation: Incarnation
    /// The chain: the author, or a branch after a fork.
    package let chain: AuthorID
    /// The last sequence stored.
    package let seq: UInt64
    /// The last sequence whose operations are visible.
    package let visible: UInt64
    /// The id of the batch at `seq`.
    package let head: BatchID
}

extension Replica {
    /// The digest of the visible state; equal vectors under one schema imply equal digests.
    package func digest() throws(ReplicaError) -> Bytes32 {
        guard let group else { throw .notAMember }
        var whole = BLAKE2bHasher(count: 32)
        whole.update(Label.digest.bytes)
        for (name, id) in group.scopes.sorted {
            var hasher = BLAKE2bHasher(count: 32)
            hasher.update(Label.digest.bytes)
            hasher.update(id.array)
            var isEmpty = true
            for collection in schema.collections where collection.scope == name {
                try storage { () throws(StorageError) in
                    try forEachRecord(collection: collection.id) {
                        (state) throws(StorageError) in
                        guard state.isLive else { return }
                        isEmpty = false
                        hasher.update(canonicalBytes(of: state))
                    }
                }
            }
            if !isEmpty { whole.update(hasher.finish()) }
        }
        return BatchName.wide(whole.finish())
    }

    /// What this replica holds of every chain, in order.
    package func vectorEntries() -> [VectorEntry] {
        chains.rows.values.filter(ChainIndex.holdsAny).map {
            VectorEntry(
                scope: $0.scope, device: $0.device, incarnation: $0.incarnation, chain: $0.chain,
                seq: $0.stored, visible: $0.applied, head: $0.head)
        }
    }

    private func canonicalBytes(of state: RecordState) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.unsigned(UInt64(state.collection))
        writer.text(state.record.description)
        let visible = state.visibleFields
        writer.array(visible.count)
        for (field, value) in visible {
            writer.array(2)
            writer.unsigned(UInt64(field))
            writer.raw(value.payload)
        }
        return writer.bytes
    }
}

/// Runs a storage call where a replica's caller is answered.
func storage<Result>(
    _ body: () throws(StorageError) -> Result
) throws(ReplicaError) -> Result {
    do {
        return try body()
    } catch {
        throw .storage(error)
    }
}
