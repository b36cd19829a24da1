import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

extension ChainBook {
    /// Returns the heads of these chains that are held durably.
    func listing(of keys: [ChainKey], in store: any Store) throws(StorageError) -> VectorListing {
        var listing = VectorListing()
        for key in keys {
            guard let row = self[key] else { continue }
            let seq = durableSeq(row)
            guard seq >= row.first, let id = try store.headID(of: row, at: seq) else { continue }
            if listing.scopes.last?.scope != key.scope {
                listing.scopes.append(ListedScope(scope: key.scope, heads: []))
                listing.scopes[listing.scopes.count - 1].heads.reserveCapacity(keys.count)
            }
            listing.scopes[listing.scopes.count - 1].heads.append(
                ListedHead(chain: key.chain, seq: seq, prefix: id.prefix8))
        }
        return listing
    }

    /// Returns BLAKE2b-256 over the whole listing with full ids.
    func vectorDigest(in store: any Store) throws(StorageError) -> Bytes32 {
        var heads: OrderedTable<ChainKey, Head> = OrderedTable()
        for (key, row) in rows {
            let seq = durableSeq(row)
            guard seq >= row.first, let id = try store.headID(of: row, at: seq) else { continue }
            heads[key] = Head(seq: seq, id: id)
        }
        return BatchName.wide(
            Hash.blake2b(.vector, VersionVector(heads: heads).digestInput))
    }
}
