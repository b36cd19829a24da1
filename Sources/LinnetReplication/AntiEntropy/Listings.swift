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

    /// All that is held durably, by its difference from what the peer listed once that is known;
    /// from then on `state` knows the numbers of the chains.
    func greetingListing(for state: OpenState) throws(StorageError) -> HaveMessage {
        guard state.heardHave else {
            let have = HaveMessage(listing: try listing(of: chains.rows.keys))
            let heads = have.listing.scopes.flatMap(\.heads)
            state.named = zip(have.listing.keys, heads).map { NamedHead(key: $0, head: $1) }
            state.isListedWhole = true
            return have
        }
        var (changed, lacking): ([NumberedHead], [Int]) = ([], [])
        for (number, theirs) in state.peerNamed.enumerated() {
            guard let theirs else { continue }
            let ours = try listing(of: [theirs.key]).scopes.first?.heads.first
            state.named.append(ours.map { NamedHead(key: theirs.key, head: $0) })
            if let ours, ours != theirs.head {
                changed.append(NumberedHead(number: number, seq: ours.seq, prefix: ours.prefix))
            } else if ours == nil {
                lacking.append(number)
            }
        }
        let others = try listing(of: chains.rows.keys.filter { state.peerNumbers[$0] == nil })
        state.named += zip(others.keys, others.scopes.flatMap(\.heads)).map {
            NamedHead(key: $0, head: $1)
        }
        return HaveMessage(form: .relative(changed: changed, lacking: lacking), listing: others)
    }

    /// Takes in the numbers of what a peer listed, and returns the whole of it.
    func numbered(
        _ have: HaveMessage, state: OpenState
    ) throws(SessionFault) -> VectorListing {
        var listing = VectorListing()
        if case .relative(let changed, let lacking) = have.form {
            // A peer that heard only how we differ from it has nothing to differ from.
            guard state.isListedWhole else { throw .violation }
            state.peerNamed = state.named
            for head in changed {
                guard state.named.indices.contains(head.number),
                    let key = state.named[head.number]?.key
                else { throw .violation }
                state.peerNamed[head.number] = NamedHead(
                    key: key,
                    head: ListedHead(chain: key.chain, seq: head.seq, prefix: head.prefix))
            }
            for number in lacking {
                guard state.named.indices.contains(number) else { throw .violation }
                state.peerNamed[number] = nil
            }
        }
        state.peerNamed += zip(have.listing.keys, have.listing.scopes.flatMap(\.heads)).map {
            NamedHead(key: $0, head: $1)
        }
        for (number, line) in state.peerNamed.enumerated() {
            guard let line else { continue }
            state.peerNumbers[line.key] = PeerNumber(number: number, head: line.head)
            listing.scopes.append(ListedScope(scope: line.key.scope, heads: [line.head]))
        }
        return listing
    }

    /// What is held durably of these chains, those that the peer named in its `have` by number;
    /// nil when there is nothing to say.
    func acknowledgement(
        of keys: [ChainKey], to state: OpenState
    ) throws(SessionFault) -> AckMessage? {
        var ack = AckMessage()
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
        let limit = state.receivedBytes + UInt64(Limits.unacknowledgedBytes)
        // A sender with three quarters of its credit needs no more yet.
        if limit - state.grantedLimit >= UInt64(Limits.unacknowledgedBytes / 4) {
            state.grantedLimit = limit
            ack.creditLimit = limit
        } else if !ack.listing.scopes.isEmpty {
            ack.creditLimit = state.grantedLimit
        } else if ack.numbered.isEmpty {
            return nil
        }
        return ack
    }

    /// BLAKE2b-256 over the whole listing with full ids.
    func vectorDigest() throws(StorageError) -> Bytes32 {
        var heads: OrderedTable<ChainKey, Head> = OrderedTable()
        for (key, row) in chains.rows {
            let seq = durableSeq(row)
            guard seq >= row.first, let id = try store.headID(of: row, at: seq) else { continue }
            heads[key] = Head(seq: seq, id: id)
        }
        return BatchName.wide(
            Hash.blake2b(.vector, VersionVector(heads: heads).digestInput))
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
