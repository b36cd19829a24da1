import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
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

extension Replica {
    /// Returns the digest of the visible state of the application's collections. Equal vectors
    /// under one schema imply equal digests, and so do equal records in another group.
    package func digest() throws(ReplicaError) -> Bytes32 {
        guard group != nil else { throw .notAMember }
        var parts: OrderedTable<DigestPart, [UInt8]> = OrderedTable()
        for collection in schema.collections where collection.id > Schema.lastOwn {
            try addParts(of: collection, to: &parts)
        }
        var whole = BLAKE2bHasher(count: 32)
        whole.update(Label.digest.bytes)
        for (part, hash) in parts {
            var head = CBORWriter()
            head.array(2)
            head.text(part.scope)
            head.unsigned(UInt64(part.collection))
            whole.update(head.bytes)
            whole.update(hash)
        }
        return BatchName.wide(whole.finish())
    }

    /// Adds one hash for each scope of a collection; records of one scope stand side by side.
    private func addParts(
        of collection: Collection, to parts: inout OrderedTable<DigestPart, [UInt8]>
    ) throws(ReplicaError) {
        var current: String?
        var hasher = BLAKE2bHasher(count: 32)
        try storage { () throws(StorageError) in
            try reader.forEachRecord(collection: collection.id) {
                (state) throws(StorageError) in
                guard state.isLive, let scope = collection.scope.scope(of: state.record) else {
                    return
                }
                if let open = current, open != scope {
                    parts[DigestPart(scope: open, collection: collection.id)] = hasher.finish()
                    hasher = BLAKE2bHasher(count: 32)
                }
                current = scope
                hasher.update(canonicalBytes(of: state))
            }
        }
        if let current {
            parts[DigestPart(scope: current, collection: collection.id)] = hasher.finish()
        }
    }

    /// Returns the chains of which this replica holds something, in order.
    package func vectorEntries() -> [VectorEntry] {
        chains.rows.values.filter(ChainIndex.holdsAny).map {
            VectorEntry(
                scope: $0.scope, device: $0.device, incarnation: $0.incarnation, chain: $0.chain,
                seq: $0.stored, visible: $0.applied, head: $0.head)
        }
    }

    func canonicalBytes(of state: RecordState) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.unsigned(UInt64(state.collection))
        writer.text(state.record.description)
        let fields = state.visibleContents.filter { !$0.content.isEmpty }
        writer.array(fields.count)
        for (field, content) in fields {
            writer.array(2)
            writer.unsigned(UInt64(field))
            writer.raw(content.visibleBytes)
        }
        if let log = state.content(of: 0) { writer.raw(log.visibleBytes) }
        return writer.bytes
    }
}

/// The part of the visible state that one hash of the digest covers.
private struct DigestPart: Comparable {
    let scope: String
    let collection: UInt32

    static func < (left: DigestPart, right: DigestPart) -> Bool {
        if left.scope.utf8.elementsEqual(right.scope.utf8) {
            return left.collection < right.collection
        }
        return left.scope.utf8.lexicographicallyPrecedes(right.scope.utf8)
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
