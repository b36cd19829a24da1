import LinnetCRDT
import LinnetStorage
import LinnetWire

extension OpenState {
    /// Queues, unasked, the batches that the peer lacks according to its `have`.
    func offer(_ chains: ChainBook, in store: any Store) throws(SessionFault) {
        for (key, row) in chains.rows where ChainIndex.holdsAny(row) {
            guard greeting.scopes.holds(key.scope) else { continue }
            if lacksBase(of: row) {
                sending.base.isDue = true
                continue
            }
            var first = row.first
            if let listed = peer[key] {
                guard listed.seq < row.forkedAt ?? .max, listed.seq >= row.first,
                    listed.seq < chains.durableSeq(row)
                else { continue }
                let id = try stored { () throws(StorageError) in
                    try store.headID(of: row, at: listed.seq)
                }
                // This is another history, and the proof of the fork goes first.
                guard id?.prefix8 == listed.prefix else { continue }
                first = listed.seq + 1
            }
            guard first <= chains.durableSeq(row) else { continue }
            sending.queue[key] = first...chains.durableSeq(row)
        }
    }

    /// Takes in the heads that a peer holds, asks for batches that are missing here, and shows
    /// forks that the peer has not seen.
    ///
    /// Batches that this replica lacks according to both `have`s come unasked.
    func learn(
        _ listing: VectorListing, isHave: Bool, held: ScopeFilter,
        _ chains: ChainBook, _ group: GroupState, on session: Session, _ turn: inout Turn
    ) throws(SessionFault) {
        var wanted: [NeededRange] = []
        var differing: [NamedHead] = []
        remember(listing, isHave: isHave, held: held) { head, key in
            // Most chains stand here as they do there.
            if let row = chains[key], row.stored == head.seq, row.head.prefix8 == head.prefix,
                chains.damaged.isEmpty
            {
                return
            }
            differing.append(NamedHead(key: key, head: head))
        }
        for named in differing {
            try compare(
                named.head, key: named.key, chains, group, on: session, turn.store, &wanted)
        }
        try session.ask(wanted)
    }

    /// Notes the heads that a peer holds, and hands each of them on.
    private func remember(
        _ listing: VectorListing, isHave: Bool, held: ScopeFilter,
        _ body: (ListedHead, ChainKey) -> Void
    ) {
        // Taken out: each use of a property of a class is checked.
        var (known, asked) = (peer, receiving.askedUpTo)
        peer = OrderedTable()
        receiving.askedUpTo = OrderedTable()
        if isHave {
            let room = listing.scopes.reduce(0) { $0 + $1.heads.count }
            known.reserveCapacity(room)
            asked.reserveCapacity(room)
        }
        for listed in listing.scopes where held.holds(listed.scope) {
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                guard known.count < VectorListing.chainsRemembered || known[key] != nil
                else { continue }
                known[key] = head
                if isHave { asked[key] = head.seq }
                body(head, key)
            }
        }
        (peer, receiving.askedUpTo) = (known, asked)
    }

    private func compare(
        _ head: ListedHead, key: ChainKey, _ chains: ChainBook, _ group: GroupState,
        on session: Session, _ store: any Store, _ wanted: inout [NeededRange]
    ) throws(SessionFault) {
        wanted += Damage.repairs(
            of: chains.damaged[key], upTo: head.seq, key: key)
        guard let row = chains[key] else {
            wanted += receiving.want(key, from: 1, to: head.seq)
            return
        }
        if let fork = row.forkedAt, head.seq >= fork {
            // The peer will list the branches once it knows of them.
            peer[key] = nil
            try proveFork(of: key, again: true, chains, group, on: session, store)
        } else if head.seq > row.stored {
            wanted += receiving.want(key, from: row.stored + 1, to: head.seq)
        } else if head.seq >= row.first {
            let id = try stored { () throws(StorageError) in
                try store.headID(of: row, at: head.seq)
            }
            if id?.prefix8 != head.prefix {
                wanted += receiving.wantAll(key, to: head.seq)
            }
        }
    }

    /// Queues the batches that a peer asks for.
    func receiveNeed(_ body: [UInt8], _ chains: ChainBook) throws(SessionFault) {
        let need = try decoded { () throws(WireError) in try NeedMessage.decode(body) }
        for range in need.ranges {
            let key = ChainKey(scope: range.scope, chain: range.chain)
            guard grant.holds(key.scope), let row = chains[key] else { continue }
            if row.isFolded, range.first < row.first {
                // The peer may look for a fork in what it holds.
                if lacksBase(of: row) { sending.base.isDue = true }
                continue
            }
            let first = max(range.first, row.first)
            let last = min(range.last, chains.durableSeq(row))
            guard first <= last else { continue }
            let queued = sending.queue[key] ?? first...last
            sending.queue[key] = min(queued.lowerBound, first)...max(queued.upperBound, last)
        }
    }

    /// Queues our own new batches where the peer stands right before them; returns the chains that
    /// it must hear of instead.
    func push(
        _ grown: OrderedTable<ChainKey, UInt64>, of chains: ChainBook, by author: Author
    ) -> [ChainKey] {
        var announced: [ChainKey] = []
        for (key, firstNew) in grown {
            guard let row = chains[key], firstNew <= chains.durableSeq(row),
                greeting.scopes.holds(key.scope)
            else { continue }
            let listed = peer[key]?.seq ?? row.first - 1
            let queued = sending.queue[key]?.upperBound ?? 0
            let reached = max(listed, queued, sending.upTo[key] ?? 0)
            let isOwn = author.wrote(row) && !lacksBase(of: row)
            if isOwn, heardHave, reached + 1 == firstNew, row.forkedAt == nil {
                let first = sending.queue[key]?.lowerBound ?? firstNew
                sending.queue[key] = first...chains.durableSeq(row)
            } else {
                announced.append(key)
            }
        }
        return announced
    }

    /// Sends the proof that a chain divided, unless the peer sent it to us or got it from us in
    /// this session; `again` is true when it has listed the old name since.
    func proveFork(
        of trunk: ChainKey, again: Bool = false, _ chains: ChainBook, _ group: GroupState,
        on session: Session, _ store: any Store
    ) throws(SessionFault) {
        guard let row = chains[trunk], let seq = row.forkedAt else { return }
        if let listed = peer[trunk], listed.seq >= seq { peer[trunk] = nil }
        let isNew = sending.provenForks[trunk] != seq
        guard isNew || again, let proof = try chains.proof(of: row, group, in: store) else {
            return
        }
        sending.provenForks[trunk] = seq
        try session.send(.fork, proof.encode())
    }
}
