import LinnetCRDT
import LinnetCrypto
import LinnetStorage
package import LinnetWire

extension RecordReader {
    /// Returns the digest of the visible state of the application's collections as a tree of pages.
    /// Equal vectors under one schema imply equal digests, and so do equal records in another
    /// group.
    ///
    /// Reads the pages that changed since it was made last, and the hashes of the others.
    ///
    /// - Parameter anew: true when every record is read.
    package func root(anew: Bool = false) throws(ReplicaError) -> Bytes32 {
        while true {
            if let root = try root(anew: anew, atMost: .max) { return root }
        }
    }

    /// Does the same in steps: nil when it read so many records, and goes on from there when it is
    /// asked again. Records that change between two steps are read again.
    package func root(
        anew: Bool = false, atMost limit: Int
    ) throws(ReplicaError) -> Bytes32? {
        guard log.group != nil else { throw .notAMember }
        var parts: OrderedTable<DigestPart, [PageHash]> = OrderedTable()
        var left = limit
        var isWhole = true
        for collection in log.schema.collections where collection.id > Schema.lastOwn && isWhole {
            try storage { () throws(StorageError) in
                var walk = PageWalk(
                    collection, anew ? [] : try store.pages(collection: collection.id),
                    overlay.changed(in: collection.id), atMost: left)
                try walk.run(rows)
                left = walk.left
                isWhole = !walk.isStopped
                for (scope, page) in walk.pages where page.records > 0 {
                    let part = DigestPart(scope: scope, collection: collection.id)
                    parts[part, default: []].append(page)
                }
                if !anew { store.keepPages(walk.made) }
            }
        }
        guard isWhole else { return nil }
        var whole = BLAKE2bHasher(count: 32)
        whole.update(Label.tree.bytes)
        for (part, pages) in parts {
            whole.update(part.head)
            whole.update(DigestTree.root(of: pages).array)
        }
        return BatchName.wide(whole.finish())
    }
}
