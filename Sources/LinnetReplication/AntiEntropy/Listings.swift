import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

extension Replica {
    /// The last sequence of a chain that survives a power cut: only that is listed or sent.
    func durableSeq(_ row: ChainRow) -> UInt64 {
        guard let first = undurableFrom[row.key] else { return row.stored }
        return min(row.stored, first - 1)
    }

    /// What is held durably of these chains.
    func listing(of keys: [ChainKey]) throws(StorageError) -> VectorListing {
        var listing = VectorListing()
        for key in keys {
            guard let row = chains[key] else { continue }
            let seq = durableSeq(row)
            guard seq >= row.first, let id = try headID(of: row, at: seq) else { continue }
            if listing.scopes.last?.scope != key.scope {
                listing.scopes.append(ListedScope(scope: key.scope, heads: []))
                listing.scopes[listing.scopes.count - 1].heads.reserveCapacity(keys.count)
            }
            listing.scopes[listing.scopes.count - 1].heads.append(
                ListedHead(chain: key.chain, seq: seq, prefix: id.prefix8))
        }
        return listing
    }

    /// What is held durably of these chains, those that the peer named in its `have` by number.
    func acknowledgement(
        of keys: [ChainKey], to state: OpenState
    ) throws(SessionFault) -> AckMessage {
        var ack = AckMessage(listing: VectorListing(), creditLimit: state.grantedLimit)
        let all = try stored { () throws(StorageError) in try listing(of: keys) }
        for listed in all.scopes {
            var others: [ListedHead] = []
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                if let known = state.peerNumbers[key] {
                    ack.numbered.append(
                        NumberedHead(number: known.number, seq: head.seq, prefix: head.prefix))
                } else {
                    others.append(head)
                }
            }
            if !others.isEmpty {
                ack.listing.scopes.append(ListedScope(scope: listed.scope, heads: others))
            }
        }
        return ack
    }

    /// BLAKE2b-256 over the whole listing with full ids.
    func vectorDigest() throws(StorageError) -> Bytes32 {
        var heads: OrderedTable<ChainKey, Head> = OrderedTable()
        for (key, row) in chains.rows {
            let seq = durableSeq(row)
            guard seq >= row.first, let id = try headID(of: row, at: seq) else { continue }
            heads[key] = Head(seq: seq, id: id)
        }
        return BatchName.wide(
            Hash.blake2b(.vector, VersionVector(heads: heads).digestInput))
    }

    /// The id of a stored batch; that of the last one is known without a look into the store.
    func headID(of row: ChainRow, at seq: UInt64) throws(StorageError) -> BatchID? {
        seq == row.stored ? row.head : try store.batchID(chain: row.index, seq: seq)
    }

    /// Whether a peer listed exactly what this replica holds, all of it durable.
    func isInStep(with state: OpenState) -> Bool {
        guard state.heardHave, state.queue.isEmpty, chains.rows.count >= state.peer.count else {
            return false
        }
        let isWhole = state.scopes == .everything
        var listed = 0
        for (key, row) in chains.rows where ChainIndex.holdsAny(row) {
            guard isWhole || state.scopes.holds(key.scope) else { continue }
            guard let head = state.peer[key], head.seq == row.stored,
                head.prefix == row.head.prefix8, durableSeq(row) == row.stored
            else { return false }
            listed += 1
        }
        return listed == state.peer.count
    }
}
