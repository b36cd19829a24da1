import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The reason why a session, or the whole replica, cannot go on.
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
    /// Greets a peer in an open session, once, before anything else of the session is sent: when it
    /// is known what the peer holds, or at the end of the call.
    mutating func greet(
        _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        guard !state.hasGreeted else { return }
        state.hasGreeted = true
        let isHeldBack = arrivals.holdsBack(state.device, .sent, at: now)
        state.receiving.begin(granting: !isHeldBack)
        let hello = HelloMessage(
            incarnation: incarnation, wallMilliseconds: now.wallMilliseconds,
            schemaVersion: UInt64(schema.version),
            features: HelloMessage.certificates | HelloMessage.scopedBatches
                | HelloMessage.treeDigests | HelloMessage.chunks | HelloMessage.bases,
            creditLimit: isHeldBack ? 0 : nil,
            scopes: scopes.filter(of: group, schema), known: knownScopesToTell)
        try session.send(.hello, hello.encode())
        let have = try stored { () throws(StorageError) in
            try state.greetingListing(of: chains, in: store)
        }
        try session.send(.have, have.encode())
    }

    mutating func receiveHello(
        _ body: [UInt8], _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        guard state.greeting.incarnation == nil else { throw .violation }
        let hello = try decoded { () throws(WireError) in try HelloMessage.decode(body) }
        state.greeting.incarnation = hello.incarnation
        state.sending.limit = hello.creditLimit ?? UInt64(Limits.unacknowledgedBytes)
        state.greeting.scopes =
            state.grant == .everything ? hello.scopes : hello.scopes.intersection(state.grant)
        state.greeting.known = hello.known
        state.greeting.schemaVersion = hello.schemaVersion
        let features = hello.features ?? 0
        state.certificates.areTaken = features & HelloMessage.certificates != 0
        state.greeting.givesBlocks = features & HelloMessage.chunks != 0
        state.sending.base.isTaken = features & HelloMessage.bases != 0
        if features & HelloMessage.treeDigests != 0 { state.certificates.form = .tree }
        try noteVersion(hello, of: state)
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
        if bounded.magnitude <= UInt64(Limits.clockSkewMilliseconds),
            author.clock.heal(wallMilliseconds: now.wallMilliseconds)
        {
            // The peer agrees that it is as late as our wall clock says.
            try stored { () throws(StorageError) in try turn.writing() }
        }
        // A device that was never met may be known by the batches that it wrote.
        var lives: [Incarnation] = []
        if notices.meetings[peer] == nil {
            lives =
                OrderedSet(
                    chains.rows.values.filter { $0.device == peer }.map(\.incarnation)
                ).elements
        }
        if notices.meet(peer, hello.incarnation, known: lives, skew: bounded, at: now) {
            turn.outbox.warn(.authorRenewed(peer))
        }
        author.believedFrom = notices.believedFrom
    }

    mutating func receiveHave(
        _ body: [UInt8], _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        let have = try decoded { () throws(WireError) in try HaveMessage.decode(body) }
        let listing = try state.numbered(have)
        state.heardHave = true
        // The peer may have lost what it was known to hold.
        if !chains.damaged.isEmpty { chains.damaged.isRestatingDue = true }
        try greet(state, session: session, at: now)
        try learn(listing, isHave: true, state, session)
        try state.offer(chains, in: store)
    }

    mutating func receiveAck(
        _ body: [UInt8], _ state: OpenState, session: Session
    ) throws(SessionFault) {
        let ack = try decoded { () throws(WireError) in try AckMessage.decode(body) }
        state.sending.limit = max(state.sending.limit, ack.creditLimit ?? 0)
        var listing = ack.listing
        for line in ack.numbered {
            guard state.listings.own.indices.contains(line.number),
                let key = state.listings.own[line.number]?.key
            else { throw .violation }
            let head = ListedHead(chain: key.chain, seq: line.seq, prefix: line.prefix)
            listing.scopes.append(ListedScope(scope: key.scope, heads: [head]))
        }
        try learn(listing, isHave: false, state, session)
    }

    private mutating func learn(
        _ listing: VectorListing, isHave: Bool, _ state: OpenState, _ session: Session
    ) throws(SessionFault) {
        guard let group else { throw .violation }
        try state.learn(
            listing, isHave: isHave,
            held: state.grant == .everything ? scopeFilter : scopeFilter.intersection(state.grant),
            chains, group,
            on: session, &turn)
    }

    /// Begins a new life when a batch, whose signature was checked, shows that this one wrote more
    /// than is here. A peer's listing alone may claim anything.
    mutating func endLostLife(by batch: SealedBatch) throws(SessionFault) {
        let header = batch.header
        guard header.device == device, header.incarnation == incarnation else { return }
        let key = ChainKey(scope: header.scope, chain: batch.author)
        guard header.seq > chains[key]?.stored ?? 0 else { return }
        turn.rotation = "a peer holds batches of this home that it lost"
        try stored { () throws(StorageError) in try beginLife() }
    }

    /// Checks one batch and stores it where it belongs.
    mutating func receiveBatch(
        _ body: [UInt8], _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        guard state.receiving.take(body.count), let group else { throw .violation }
        let batch: SealedBatch
        if let checked = state.receiving.run.next() {
            batch = checked
        } else {
            batch = try state.check(body, chains, group, in: store)
            chains.damaged.prove(batch.id)
        }
        state.receiving.last = BatchHeaderLink(header: batch.header, id: batch.id)
        turn.answerDue.insert(session.link)
        arrivals.note(
            state.device, Arrivals(batches: 1, bytes: body.count),
            isForwarded: batch.header.device != state.device,
            isKnown: scopes.known.holds(batch.header.scope), at: now)
        try endLostLife(by: batch)
        guard holds(batch.header.scope) else { return }
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        turn.isMoreComing = state.peer[key]?.seq ?? 0 > batch.header.seq
        defer { turn.isMoreComing = false }
        guard group.isKept(batch.header.device) else {
            return try hold(batch, of: group, from: state.device)
        }
        switch try place(batch, from: session) {
        case nil: break
        case .stored, .duplicate: state.noteHeld(batch, chains)
        case .forked(let trunk):
            // The same name may divide again.
            state.receiving.askedFromStart.remove(trunk)
            turn.answerDue.insert(session.link)
        case .waiting:
            if let row = chains[key], batch.header.seq <= row.stored + 1 {
                try session.ask(state.receiving.wantAll(key, to: batch.header.seq))
            }
            try hold(batch, of: group, from: state.device)
        }
    }

    /// Stores a checked batch where it belongs; nil for the good copy of one that was damaged.
    mutating func place(
        _ batch: SealedBatch, from session: Session?
    ) throws(SessionFault) -> Placement? {
        try stored { () throws(StorageError) -> Placement? in
            if try chains.repair(with: batch, under: schema, &turn) { return nil }
            let placement = try chains.place(batch, author: author, under: schema, &turn)
            try beginLife()
            askForRepairs(except: session)
            return placement
        }
    }

    /// Keeps a batch that cannot be stored yet; a peer that sends too many of them floods us.
    mutating func hold(
        _ batch: SealedBatch, of group: GroupState, from peer: DeviceID
    ) throws(SessionFault) {
        let fits = try stored { () throws(StorageError) in
            try chains.waiting.hold(batch, of: group, &turn)
        }
        guard !fits else { return }
        sessions.flooders.insert(peer)
        turn.outbox.warn(.flooded(peer))
    }

    /// Splits the chain that a proof names, and lists what is held under its new names.
    mutating func receiveFork(_ body: [UInt8], _ state: OpenState) throws(SessionFault) {
        let message = try decoded { () throws(WireError) in try ForkMessage.decode(body) }
        guard let group, let header = message.place(in: group.log.group) else { throw .violation }
        guard group.isKept(header.device) else { return }
        let name = AuthorName.author(device: header.device, incarnation: header.incarnation)
        let trunks = try stored { () throws(StorageError) in
            let trunks = try chains.splitFamily(at: header, author: author, &turn)
            try beginLife()
            return trunks
        }
        guard !trunks.isEmpty else { return }
        if try chains.keptProof(header.scope, name, header.seq, in: store) == nil {
            try stored { () throws(StorageError) in
                try store.addFork(
                    ForkRow(scope: header.scope, chain: name, seq: header.seq, proof: body))
            }
        }
        for trunk in trunks {
            state.sending.provenForks[trunk] = header.seq
            // The whole chain may have been asked for in order to find this.
            state.receiving.askedFromStart.remove(trunk)
        }
    }
}
