package import LinnetCRDT
import LinnetCrypto
import LinnetStorage
package import LinnetWire

/// The digest of all that shows as up to 0.1.0, made in steps between which the replica does other
/// things.
///
/// It says nothing of one moment when a record came to look different between two steps: whoever
/// made the steps begins anew then.
package final class DigestWork {
    private let collections: [Collection]
    /// The place of the collection under way.
    private var place = 0
    /// The last record of it that was read.
    private var last: RecordID?
    /// The scope whose records are read.
    private var scope: String?
    private var hasher = BLAKE2bHasher(count: 32)
    private var parts: OrderedTable<DigestPart, [UInt8]> = OrderedTable()

    /// Begins, under the schema of the records.
    package init(_ schema: Schema) {
        collections = schema.collections.filter { $0.id > Schema.lastOwn }
    }

    /// Reads at most so many records more; returns the digest once all are read, else nil.
    ///
    /// Equal vectors under one schema imply equal digests, and so do equal records in another
    /// group.
    package func step(
        _ reader: RecordReader, atMost limit: Int
    ) throws(ReplicaError) -> Bytes32? {
        guard reader.log.group != nil else { throw .notAMember }
        var left = limit
        while place < collections.count {
            let collection = collections[place]
            try storage { () throws(StorageError) in
                try reader.forEachRecord(in: collection.id, after: last) {
                    (state) throws(StorageError) in
                    add(state, of: collection)
                    last = state.record
                    left -= 1
                    return left > 0
                }
            }
            if left <= 0 { return nil }
            endPart(of: collection)
            (place, last) = (place + 1, nil)
        }
        return whole
    }

    /// Adds a record; records of one scope stand side by side.
    private func add(_ state: RecordState, of collection: Collection) {
        guard state.isLive, let own = collection.scope.scope(of: state.record) else { return }
        if scope != own {
            endPart(of: collection)
            scope = own
        }
        hasher.update(state.canonicalBytes)
    }

    /// Ends the hash of a scope's records, if any was read.
    private func endPart(of collection: Collection) {
        guard let open = scope else { return }
        var ended = BLAKE2bHasher(count: 32)
        swap(&ended, &hasher)
        parts[DigestPart(scope: open, collection: collection.id)] = ended.finish()
        scope = nil
    }

    private var whole: Bytes32 {
        var whole = BLAKE2bHasher(count: 32)
        whole.update(Label.digest.bytes)
        for (part, hash) in parts {
            whole.update(part.head)
            whole.update(hash)
        }
        return BatchName.wide(whole.finish())
    }
}
