import LinnetCRDT
import LinnetCrypto
import LinnetStorage
package import LinnetWire

extension RecordReader {
    /// Returns the digest of the visible state of the application's collections as up to 0.1.0,
    /// which reads every record. Equal vectors under one schema imply equal digests, and so do
    /// equal records in another group.
    package func digest() throws(ReplicaError) -> Bytes32 {
        guard log.group != nil else { throw .notAMember }
        var parts: OrderedTable<DigestPart, [UInt8]> = OrderedTable()
        for collection in log.schema.collections where collection.id > Schema.lastOwn {
            try addParts(of: collection, to: &parts)
        }
        var whole = BLAKE2bHasher(count: 32)
        whole.update(Label.digest.bytes)
        for (part, hash) in parts {
            whole.update(part.head)
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
            try forEachRecord(collection: collection.id) {
                (state) throws(StorageError) in
                guard state.isLive, let scope = collection.scope.scope(of: state.record) else {
                    return
                }
                if let open = current, open != scope {
                    parts[DigestPart(scope: open, collection: collection.id)] = hasher.finish()
                    hasher = BLAKE2bHasher(count: 32)
                }
                current = scope
                hasher.update(state.canonicalBytes)
            }
        }
        if let current {
            parts[DigestPart(scope: current, collection: collection.id)] = hasher.finish()
        }
    }
}

extension RecordState {
    /// The bytes of what shows, which are equal where the same is shown.
    var canonicalBytes: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.unsigned(UInt64(collection))
        writer.text(record.description)
        let fields = visibleContents.filter { !$0.content.isEmpty }
        writer.array(fields.count)
        for (field, content) in fields {
            writer.array(2)
            writer.unsigned(UInt64(field))
            writer.raw(content.visibleBytes)
        }
        if let log = content(of: 0) { writer.raw(log.visibleBytes) }
        return writer.bytes
    }
}

/// The part of the visible state that one hash of the digest covers.
struct DigestPart: Comparable {
    let scope: String
    let collection: UInt32

    /// The bytes that name it, before its hash.
    var head: [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.text(scope)
        writer.unsigned(UInt64(collection))
        return writer.bytes
    }

    static func < (left: DigestPart, right: DigestPart) -> Bool {
        if left.scope.utf8.elementsEqual(right.scope.utf8) {
            return left.collection < right.collection
        }
        return left.scope.utf8.lexicographicallyPrecedes(right.scope.utf8)
    }
}
