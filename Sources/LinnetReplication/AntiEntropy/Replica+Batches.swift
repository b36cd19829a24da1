import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Checks one batch and stores it where it belongs.
    mutating func receiveBatch(
        _ body: [UInt8], state: inout OpenState, session: Session
    ) throws(SessionFault) {
        state.receivedBytes += UInt64(body.count)
        guard state.receivedBytes <= state.grantedLimit, let group else { throw .violation }
        let batch: SealedBatch
        if let checked = state.run.next() {
            batch = checked
        } else {
            batch = try check(body, state: state, group: group.log.group)
            chains.prove(batch.id)
        }
        state.lastReceived = BatchHeaderLink(header: batch.header, id: batch.id)
        turn.answerDue.insert(session.link)
        guard holds(batch.header.scope) else { return }
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        turn.isMoreComing = state.peer[key]?.seq ?? 0 > batch.header.seq
        defer { turn.isMoreComing = false }
        try accept(batch, state: &state, session: session)
    }

    /// Checks one batch with its own signature.
    private func check(
        _ body: [UInt8], state: OpenState, group: GroupID
    ) throws(SessionFault) -> SealedBatch {
        let message = try decoded { () throws(WireError) in try BatchMessage.decode(body) }
        let previous = try predecessor(of: message, state: state)
        do throws(BatchRefusal) {
            return try SealedBatch(
                headerBytes: try message.headerBytes(after: previous),
                ciphertext: message.ciphertext, signature: message.signature, group: group)
        } catch {
            throw .violation
        }
    }

    /// Looks ahead at batches that came together, so that one signature is checked for all.
    func expectRun(_ events: ArraySlice<ChannelEvent>, of session: Session) {
        guard events.count > 1, case .open(let state) = session.state, state.run.isEmpty,
            state.heardHave, let group
        else { return }
        state.run = BatchRun(events, group: group.log.group) { message in
            try? predecessor(of: message, state: state)
        }
    }

    /// The batch from which a message takes over its header.
    private func predecessor(
        of message: BatchMessage, state: OpenState
    ) throws(SessionFault) -> BatchHeaderLink? {
        switch message.form {
        case .full: return nil
        case .continued: return state.lastReceived
        case .listed(let number, _):
            guard state.named.indices.contains(number), let named = state.named[number] else {
                throw .violation
            }
            // A fork may have moved it to a branch since it was listed.
            for row in chains.index.family(named: named.key.chain, scope: named.key.scope)
            where row.first <= named.head.seq && named.head.seq <= row.stored {
                let kept = try stored { () throws(StorageError) in
                    try store.batch(chain: row.index, seq: named.head.seq)
                }
                guard let kept, kept.id.prefix8 == named.head.prefix else { continue }
                return BatchHeaderLink(
                    header: SealedBatch(kept, in: row, of: group?.log.group).header, id: kept.id)
            }
            throw .violation
        }
    }

    private mutating func accept(
        _ batch: SealedBatch, state: inout OpenState, session: Session
    ) throws(SessionFault) {
        guard let group, group.isEntitled(batch.header.device) else {
            try hold(batch, from: state.device)
            return
        }
        let placement = try stored { () throws(StorageError) -> Placement? in
            if try chains.repair(with: batch, under: schema, &turn) { return nil }
            let placement = try chains.place(batch, author: author, under: schema, &turn)
            try beginLife()
            try askForRepairs()
            return placement
        }
        switch placement {
        case nil: break
        case .stored, .duplicate:
            noteHeld(batch, by: &state)
        case .forked(let trunk):
            // The same name may divide again.
            state.askedFromStart.remove(trunk)
            turn.answerDue.insert(session.link)
        case .waiting:
            let key = ChainKey(scope: batch.header.scope, chain: batch.author)
            if let row = chains[key], batch.header.seq <= row.stored + 1 {
                var wanted: [NeededRange] = []
                askFromStart(key, to: batch.header.seq, &state, &wanted)
                try ask(wanted, on: session)
            }
            try hold(batch, from: state.device)
        }
    }

    /// Who sends a batch holds it, and need not say so again.
    private func noteHeld(_ batch: SealedBatch, by state: inout OpenState) {
        let key = ChainKey(scope: batch.header.scope, chain: batch.author)
        guard let row = chains[key], row.forkedAt == nil,
            state.peer[key]?.seq ?? 0 < batch.header.seq,
            state.peer[key] != nil || state.peer.count < VectorListing.chainsMaximum
        else { return }
        state.peer[key] = ListedHead(
            chain: key.chain, seq: batch.header.seq, prefix: batch.id.prefix8)
    }

    /// Keeps a batch that cannot be stored yet; a peer that sends too many of them floods us.
    private mutating func hold(
        _ batch: SealedBatch, from peer: DeviceID
    ) throws(SessionFault) {
        let fits = try stored { () throws(StorageError) in try chains.hold(batch, &turn) }
        guard !fits else { return }
        flooders.insert(peer)
        turn.outbox.warn(.flooded(peer))
    }

    /// Sends what the peer needs, as far as its credit goes.
    mutating func pump(_ state: inout OpenState, session: Session) throws(SessionFault) {
        while let (key, range) = state.nextQueued {
            guard let row = chains[key], range.lowerBound <= chains.durableSeq(row),
                let kept = try stored({ () throws(StorageError) in
                    try store.batch(chain: row.index, seq: range.lowerBound)
                })
            else {
                state.queue[key] = nil
                continue
            }
            let batch = SealedBatch(kept, in: row, of: group?.log.group)
            guard batch.isIntact, chains.isProven(batch) else {
                state.queue[key] = nil
                chains.noteDamage(of: kept, in: row, &turn)
                try stored { () throws(StorageError) in try askForRepairs() }
                continue
            }
            let body = try message(for: batch, of: row, state: state).encode()
            guard state.sentBytes + UInt64(body.count) <= state.sendLimit else { return }
            try session.send(.batch, body)
            state.sentBytes += UInt64(body.count)
            state.lastSent = BatchHeaderLink(header: batch.header, id: batch.id)
            state.sentUpTo[key] = max(state.sentUpTo[key] ?? 0, range.lowerBound)
            state.turn = (key, sent: state.turn.key == key ? state.turn.sent + 1 : 1)
            state.queue[key] =
                range.lowerBound < range.upperBound
                ? range.lowerBound + 1...range.upperBound : nil
        }
    }

    /// The shortest form of a batch that the peer can fill up.
    private func message(
        for batch: SealedBatch, of row: ChainRow, state: OpenState
    ) throws(SessionFault) -> BatchMessage {
        let header = batch.header
        var form = BatchMessage.Form.full(header: batch.headerBytes)
        if let last = state.lastSent, header.follows(last) {
            form = .continued(nonce: header.nonceToSend(after: last.header.nonce))
        } else if let listed = state.peerNumbers[row.key], listed.head.seq + 1 == header.seq,
            listed.head.prefix == header.prev.prefix8
        {
            let kept = try stored { () throws(StorageError) in
                try store.batch(chain: row.index, seq: listed.head.seq)
            }
            if let kept, kept.id == header.prev, kept.epoch == header.epoch {
                form = .listed(
                    number: listed.number, nonce: header.nonceToSend(after: kept.nonce))
            }
        }
        return BatchMessage(
            form: form, ciphertext: batch.ciphertext, signature: batch.signature)
    }
}

extension BatchMessage {
    /// Whether it takes over the header of the batch sent before it.
    var isContinued: Bool {
        if case .continued = form { true } else { false }
    }

    /// The header as its author signed it; `last` is the batch from which it takes over.
    func headerBytes(after last: BatchHeaderLink?) throws(BatchRefusal) -> [UInt8] {
        let given: [UInt8]?
        switch form {
        case .full(let header): return header
        case .continued(let nonce): given = nonce
        case .listed(_, let nonce): given = nonce
        }
        guard let last, last.header.seq < UInt64(Int64.max) else {
            throw .malformed(.badSequence)
        }
        let previous = last.header
        return BatchHeader(
            group: previous.group, device: previous.device, incarnation: previous.incarnation,
            scope: previous.scope, seq: previous.seq + 1, prev: last.id,
            epoch: previous.epoch, nonce: given ?? BatchNonces.successor(of: previous.nonce)
        ).encoded
    }
}

extension BatchHeader {
    /// Whether all but the nonce follows from the batch before.
    fileprivate func follows(_ last: BatchHeaderLink) -> Bool {
        last.id == prev && last.header.scope == scope && last.header.device == device
            && last.header.incarnation == incarnation && last.header.epoch == epoch
            && last.header.seq + 1 == seq
    }

    /// The nonce, nil if it is the one after another.
    fileprivate func nonceToSend(after previous: [UInt8]) -> [UInt8]? {
        nonce == BatchNonces.successor(of: previous) ? nil : nonce
    }
}
