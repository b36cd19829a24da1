import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

extension ChainBook {
    /// Returns the last batch of a chain that is held durably; nil where there is none. Nothing is
    /// listed behind a damaged batch for which its author asked: nobody else may have it.
    func listedHead(of row: ChainRow, in store: any Store) throws(StorageError) -> ListedHead? {
        let seq = damaged.listed(row.key, upTo: durableSeq(row))
        guard seq >= row.first, let id = try store.headID(of: row, at: seq) else { return nil }
        return ListedHead(chain: row.chain, seq: seq, prefix: id.prefix8)
    }

    /// Returns the heads of these chains that are held durably.
    func listing(of keys: [ChainKey], in store: any Store) throws(StorageError) -> VectorListing {
        var listing = VectorListing()
        for key in keys {
            guard let row = self[key], let head = try listedHead(of: row, in: store) else {
                continue
            }
            listing.append(head, of: key.scope)
        }
        return listing
    }

    /// Returns what is held durably of all chains, but for those that a peer numbered, as far as
    /// there is room, and the chains for which there is none.
    func listing(
        without numbered: OrderedTable<ChainKey, PeerNumber>, upTo room: Int,
        within grant: ScopeFilter, in store: any Store
    ) throws(StorageError) -> (listing: VectorListing, rest: [ChainKey]) {
        var listing = VectorListing()
        var (count, rest): (Int, [ChainKey]) = (0, [])
        for (key, row) in rows where numbered.isEmpty || numbered.index(of: key) == nil {
            guard grant.holds(key.scope) else { continue }
            guard count < room else {
                rest.append(key)
                continue
            }
            guard let head = try listedHead(of: row, in: store) else { continue }
            listing.append(head, of: key.scope)
            count += 1
        }
        return (listing, rest)
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
