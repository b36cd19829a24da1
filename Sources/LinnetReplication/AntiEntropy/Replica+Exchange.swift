import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Why a session cannot go on, or the replica cannot.
enum SessionFault: Error, Equatable {
    case end(SessionEnd, code: CloseCode)
    case storage(StorageError)

    static let violation = SessionFault.end(.protocolViolation, code: .protocolViolation)
}

/// Runs a storage call inside the handling of a message.
func stored<Result>(
    _ body: () throws(StorageError) -> Result
) throws(SessionFault) -> Result {
    do {
        return try body()
    } catch {
        throw .storage(error)
    }
}

/// Reads a message body; bytes that make no sense end the session.
func decoded<Message>(
    _ body: () throws(WireError) -> Message
) throws(SessionFault) -> Message {
    do {
        return try body()
    } catch {
        throw .violation
    }
}

extension Replica {
    /// Greets a peer that both sides know to be a member, once: when it is known what the peer
    /// holds, or at the end of the call, before anything else of an open session is sent.
    func greet(
        _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        guard !state.hasGreeted else { return }
        state.hasGreeted = true
        let hello = HelloMessage(
            incarnation: incarnation, wallMilliseconds: now.wallMilliseconds,
            schemaVersion: UInt64(schema.version), features: HelloMessage.certificates,
            scopes: scopeFilter, known: knownScopesToTell)
        try session.send(.hello, hello.encode())
        let have = try stored { () throws(StorageError) in
            try state.greetingListing(of: chains, in: store)
        }
        try session.send(.have, have.encode())
    }

    mutating func receiveHello(
        _ body: [UInt8], state: inout OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        guard state.incarnation == nil else { throw .violation }
        let hello = try decoded { () throws(WireError) in try HelloMessage.decode(body) }
        state.incarnation = hello.incarnation
        state.sendLimit = hello.creditLimit ?? UInt64(Limits.unacknowledgedBytes)
        state.scopes = hello.scopes
        state.known = hello.known
        state.schemaVersion = hello.schemaVersion
        state.takesCertificates = (hello.features ?? 0) & HelloMessage.certificates != 0
        try greetLife(of: state.device, hello, at: now)
        if state.device == device, hello.incarnation == incarnation {
            try stored { () throws(StorageError) in
                try author.rotate("a copy of this home is running", &entropy, &turn)
            }
        }
        try settleDuplicates(of: session, device: state.device, incarnation: hello.incarnation)
        turn.outbox.notify(
            .sessionOpened(session.link, device: state.device, incarnation: hello.incarnation))
        try stored { () throws(StorageError) in try heard(state.device, at: now) }
    }

    /// Remembers the clock and the life of a peer, and warns of both.
    private mutating func greetLife(
        of peer: DeviceID, _ hello: HelloMessage, at now: Moment
    ) throws(SessionFault) {
        let theirs = hello.wallMilliseconds
        let (skew, overflow) = theirs.subtractingReportingOverflow(now.wallMilliseconds)
        let bounded = overflow ? (theirs < 0 ? Int64.min + 1 : Int64.max) : max(skew, .min + 1)
        if abs(bounded) > Limits.clockSkewMilliseconds {
            turn.outbox.warn(.clockSkew(peer, milliseconds: bounded))
        }
        guard peer != device else { return }
        // Who was never met may be known by what it wrote.
        let lives = OrderedSet(
            chains.rows.values.filter { $0.device == peer }.map(\.incarnation))
        if notices.meet(
            peer, hello.incarnation, known: lives.elements, skew: bounded, at: now)
        {
            turn.outbox.warn(.authorRenewed(peer))
        }
    }

    mutating func receiveHave(
        _ body: [UInt8], state: inout OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        let have = try decoded { () throws(WireError) in try HaveMessage.decode(body) }
        let listing = try state.numbered(have)
        state.heardHave = true
        try greet(state, session: session, at: now)
        try learn(listing, isHave: true, state: &state, session: session)
        try offer(&state)
    }

    mutating func receiveAck(
        _ body: [UInt8], state: inout OpenState, session: Session
    ) throws(SessionFault) {
        let ack = try decoded { () throws(WireError) in try AckMessage.decode(body) }
        state.sendLimit = max(state.sendLimit, ack.creditLimit ?? 0)
        var listing = ack.listing
        for line in ack.numbered {
            guard state.named.indices.contains(line.number),
                let key = state.named[line.number]?.key
            else { throw .violation }
            let head = ListedHead(chain: key.chain, seq: line.seq, prefix: line.prefix)
            listing.scopes.append(ListedScope(scope: key.scope, heads: [head]))
        }
        try learn(listing, isHave: false, state: &state, session: session)
    }

    /// Queues, unasked, what a peer's `have` shows that it lacks.
    private func offer(_ state: inout OpenState) throws(SessionFault) {
        for (key, row) in chains.rows where ChainIndex.holdsAny(row) {
            guard state.scopes.holds(key.scope) else { continue }
            var first = row.first
            if let listed = state.peer[key] {
                guard listed.seq < row.forkedAt ?? .max, listed.seq >= row.first,
                    listed.seq < chains.durableSeq(row)
                else { continue }
                let id = try stored { () throws(StorageError) in
                    try store.headID(of: row, at: listed.seq)
                }
                // Another history: the proof of the fork goes first.
                guard id?.prefix8 == listed.prefix else { continue }
                first = listed.seq + 1
            }
            guard first <= chains.durableSeq(row) else { continue }
            state.queue[key] = first...chains.durableSeq(row)
        }
    }

    /// Takes in what a peer holds; asks for what is missing here, and shows forks it has not seen.
    ///
    /// What its `have` shows that this replica lacks comes unasked.
    private mutating func learn(
        _ listing: VectorListing, isHave: Bool, state: inout OpenState, session: Session
    ) throws(SessionFault) {
        var wanted: [NeededRange] = []
        for listed in listing.scopes where holds(listed.scope) {
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                guard state.peer[key] != nil || state.peer.count < VectorListing.chainsMaximum
                else { throw .violation }
                state.peer[key] = head
                if isHave { state.askedUpTo[key] = head.seq }
                try compare(head, key: key, state: &state, session: session, wanted: &wanted)
            }
        }
        try ask(wanted, on: session)
    }

    private mutating func compare(
        _ head: ListedHead, key: ChainKey, state: inout OpenState, session: Session,
        wanted: inout [NeededRange]
    ) throws(SessionFault) {
        if key.chain == author.id, head.seq > chains[key]?.stored ?? 0 {
            try stored { () throws(StorageError) in
                try author.rotate("a peer holds batches of this home that it lost", &entropy, &turn)
            }
        }
        wanted += Damage.repairs(
            of: chains.damaged[key]?.elements ?? [], upTo: head.seq, key: key)
        guard let row = chains[key] else {
            want(key, from: 1, to: head.seq, state: &state, wanted: &wanted)
            return
        }
        if let fork = row.forkedAt, head.seq >= fork {
            // The peer will list the branches once it knows of them.
            state.peer[key] = nil
            try proveFork(of: key, again: true, state: &state, session: session)
        } else if head.seq > row.stored {
            want(key, from: row.stored + 1, to: head.seq, state: &state, wanted: &wanted)
        } else if head.seq >= row.first {
            let id = try stored { () throws(StorageError) in
                try store.headID(of: row, at: head.seq)
            }
            if id?.prefix8 != head.prefix { askFromStart(key, to: head.seq, &state, &wanted) }
        }
    }

    private func want(
        _ key: ChainKey, from first: UInt64, to last: UInt64, state: inout OpenState,
        wanted: inout [NeededRange]
    ) {
        let asked = state.askedUpTo[key] ?? 0
        guard asked < last, first <= last else { return }
        let from = max(first, asked + 1)
        state.askedUpTo[key] = last
        wanted.append(NeededRange(scope: key.scope, chain: key.chain, first: from, last: last))
    }

    /// A fork shows: the whole chain is compared, once in a session.
    func askFromStart(
        _ key: ChainKey, to last: UInt64, _ state: inout OpenState, _ wanted: inout [NeededRange]
    ) {
        guard state.askedFromStart.insert(key) else { return }
        wanted.append(NeededRange(scope: key.scope, chain: key.chain, first: 1, last: last))
    }

    mutating func ask(_ ranges: [NeededRange], on session: Session) throws(SessionFault) {
        var rest = ranges[...]
        while !rest.isEmpty {
            let some = rest.prefix(NeedMessage.rangesMaximum)
            rest = rest.dropFirst(some.count)
            try session.send(.need, NeedMessage(ranges: Array(some)).encode())
        }
    }

    mutating func receiveNeed(
        _ body: [UInt8], state: inout OpenState
    ) throws(SessionFault) {
        let need = try decoded { () throws(WireError) in try NeedMessage.decode(body) }
        for range in need.ranges {
            let key = ChainKey(scope: range.scope, chain: range.chain)
            guard let row = chains[key] else { continue }
            let first = max(range.first, row.first)
            let last = min(range.last, chains.durableSeq(row))
            guard first <= last else { continue }
            if let queued = state.queue[key] {
                state.queue[key] =
                    min(queued.lowerBound, first)...max(queued.upperBound, last)
            } else {
                state.queue[key] = first...last
            }
        }
    }
}
